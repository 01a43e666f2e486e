import FolderOpen from "lucide-react/icons/folder-open";
import ImageUp from "lucide-react/icons/image-up";
import SearchX from "lucide-react/icons/search-x";
import Trash2 from "lucide-react/icons/trash-2";
import { Button } from "../design/button.tsx";
import { Empty } from "../design/empty.tsx";
import { runCommand } from "../shell/commands.ts";
import { CurlLine } from "./curl-line.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { isNarrowed, NO_FILTERS } from "./filters.ts";
import type { Library } from "./use-library.ts";

/** Why there are no files, and what can be done. */
export default function Nothing({ library: { filters, address } }: { readonly library: Library }) {
  if (isNarrowed(filters)) {
    const everywhere = { ...NO_FILTERS, status: filters.status, q: filters.q };
    return (
      <Empty
        icon={SearchX}
        title="No file is like this"
        action={
          filters.folder === "all" ? (
            <Button onClick={() => address.setFilters({ ...NO_FILTERS, status: filters.status })}>
              Clear all filters
            </Button>
          ) : (
            <Button onClick={() => address.setFilters(everywhere)}>Search all files</Button>
          )
        }
      >
        <FilterChips filters={filters} onChange={address.setFilters} />
      </Empty>
    );
  }
  if (filters.status === "trash") {
    return (
      <Empty icon={Trash2} title="Nothing in the trash">
        Files that you move here still count as storage, and their links still work, until you delete them for good.
      </Empty>
    );
  }
  const upload = (
    <Button tone="main" onClick={() => runCommand("upload")}>
      Choose files
    </Button>
  );
  if (filters.folder !== "all") {
    return (
      <Empty icon={FolderOpen} title="Drop files here" action={upload}>
        They are uploaded into this folder.
      </Empty>
    );
  }
  return (
    <Empty icon={ImageUp} title="Drop your first files here" action={upload}>
      <p>Images and videos. Each gets a link of its own, ready to paste.</p>
      <CurlLine />
    </Empty>
  );
}
