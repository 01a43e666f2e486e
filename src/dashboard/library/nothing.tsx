import FolderOpen from "lucide-react/icons/folder-open";
import ImageUp from "lucide-react/icons/image-up";
import SearchX from "lucide-react/icons/search-x";
import Trash2 from "lucide-react/icons/trash-2";
import { Button } from "../design/button.tsx";
import { Chip } from "../design/chip.tsx";
import { CodeBlock } from "../design/code-block.tsx";
import { Empty } from "../design/empty.tsx";
import { runCommand } from "../shell/commands.ts";
import { LinkButton } from "../shell/link-button.tsx";
import { nameOf as nameDates } from "./filter-bar/date-filter.tsx";
import styles from "./filter-bar/filter-chips.module.css";
import { listFacts } from "./filter-bar/list-facts.ts";
import { nameSizes } from "./filter-bar/name-sizes.ts";
import type { Library } from "./use-library.ts";
import { FILE_TYPES } from "./view/file-types.ts";
import { type Filters, isNarrowed, NO_FILTERS } from "./view/filters.ts";

/** Explains why there are no files, and offers the next step. */
export default function Nothing({ library: { filters, address, folders } }: { readonly library: Library }) {
  if (isNarrowed(filters)) {
    const everywhere = { ...NO_FILTERS, status: filters.status, q: filters.q };
    return (
      <Empty
        icon={SearchX}
        title="No files match"
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
      <Empty icon={Trash2} title="The trash is empty" action={<LinkButton to="/library">Open the library</LinkButton>}>
        Files in the trash still use storage, and their links still work, until you delete them permanently.
      </Empty>
    );
  }
  const upload = (
    <Button tone="main" onClick={() => runCommand("upload")}>
      Choose files
    </Button>
  );
  const { folder } = filters;
  const isFolder = folder !== "all" && folder !== "root";
  if (isFolder && folders !== undefined && !folders.some(({ _id }) => _id === folder)) {
    return (
      <Empty icon={FolderOpen} title="Folder not found" action={<LinkButton to="/library">Open all files</LinkButton>}>
        It may have been deleted. The files of a deleted folder are in Root.
      </Empty>
    );
  }
  if (folder !== "all") {
    return (
      <Empty icon={FolderOpen} title="Drop files here" action={upload}>
        Files are uploaded into this folder.
      </Empty>
    );
  }
  return (
    <Empty icon={ImageUp} title="Drop your first files here" action={upload}>
      <p>Images and videos. Each file gets its own link.</p>
      <CurlLine />
    </Empty>
  );
}

/** The command that uploads from a terminal. The key is not known here, because it is shown only once. */
function CurlLine() {
  return (
    <CodeBlock
      label="curl"
      code={`curl -H "Authorization: Bearer YOUR_KEY" -F file=@photo.jpg ${location.origin}/images/upload`}
    />
  );
}

interface FilterChipsProps {
  readonly filters: Filters;
  readonly onChange: (next: Filters) => void;
}

function FilterChips({ filters, onChange }: FilterChipsProps) {
  const { q, types, from, to, takenFrom, takenTo, min, max, fav, tags, not } = filters;
  const set: (readonly [string, Partial<Filters>])[] = [
    ...(q === "" ? [] : [[`“${q}”`, { q: "" }] as [string, Partial<Filters>]]),
    ...types.map((type): [string, Partial<Filters>] => [
      FILE_TYPES[type].title,
      { types: types.filter((each) => each !== type) },
    ]),
    ...(from === undefined && to === undefined
      ? []
      : [[nameDates(from, to), { from: undefined, to: undefined }] as [string, Partial<Filters>]]),
    ...(takenFrom === undefined && takenTo === undefined
      ? []
      : [
          [`Taken: ${nameDates(takenFrom, takenTo)}`, { takenFrom: undefined, takenTo: undefined }] as [
            string,
            Partial<Filters>,
          ],
        ]),
    ...(min === undefined && max === undefined
      ? []
      : [[nameSizes(min, max), { min: undefined, max: undefined }] as [string, Partial<Filters>]]),
    ...(fav ? [["Favourites", { fav: false }] as [string, Partial<Filters>]] : []),
    ...listFacts(filters),
    ...tags.map((tag): [string, Partial<Filters>] => [tag, { tags: tags.filter((each) => each !== tag) }]),
    ...not.map((tag): [string, Partial<Filters>] => [`−${tag}`, { not: not.filter((each) => each !== tag) }]),
  ];
  return (
    <div className={styles.chips}>
      {set.map(([title, without]) => {
        const remove = () => onChange({ ...filters, ...without });
        return (
          <Chip key={title} on onClick={remove} onRemove={remove} removeLabel={`Remove filter ${title}`}>
            {title}
          </Chip>
        );
      })}
    </div>
  );
}
