import { FolderOpen, ImageUp, SearchX, Trash2 } from "lucide-react";
import { Button } from "../design/button.tsx";
import { Empty } from "../design/empty.tsx";
import { Problem } from "../design/problem.tsx";
import { runCommand } from "../shell/commands.ts";
import { CurlLine } from "./curl-line.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { isNarrowed, NO_FILTERS } from "./filters.ts";
import styles from "./library-state.module.css";
import { LoadingTiles } from "./loading-tiles.tsx";
import type { Library } from "./use-library.ts";

/** What stands in place of the files: while they are loaded, where there are none, where they could not be loaded. */
export function LibraryState({ library }: { readonly library: Library }) {
  const { pages, total } = library;
  if (pages.error !== undefined) {
    return (
      <div className={styles.state} data-over={total !== undefined && total > 0 ? "" : undefined}>
        <Problem error={pages.error} title="The files could not be loaded" onRetry={pages.retry} />
      </div>
    );
  }
  if (total === undefined) return <LoadingTiles library={library} />;
  if (total > 0) return null;
  return (
    <div className={styles.state}>
      <Nothing library={library} />
    </div>
  );
}

function Nothing({ library: { filters, address } }: { readonly library: Library }) {
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
