import ChevronRight from "lucide-react/icons/chevron-right";
import { Fragment, memo } from "react";
import { Link } from "wouter";
import type { Folder } from "../../client/index.ts";
import { SearchField } from "../shell/search-field.tsx";
import { TopBar } from "../shell/top-bar.tsx";
import { pathTo } from "./folders/folder-nodes.ts";
import styles from "./library-top.module.css";
import type { Address } from "./use-address.ts";
import { useSearchText } from "./use-search-text.ts";

interface LibraryTopProps {
  readonly address: Address;
  readonly folders: readonly Folder[] | undefined;
}

/** The library's first row: where one is, as a way back up, and the search. */
export const LibraryTop = memo(function LibraryTop({ address, folders = [] }: LibraryTopProps) {
  const { status, folder, fav } = address.filters;
  const path = pathTo(folders, folder);
  const place = status === "trash" ? "Trash" : folder === "root" ? "Root" : fav ? "Favourites" : "All files";
  const title = path.at(-1)?.name ?? place;
  const [text, setText, search] = useSearchText(address);
  const heading =
    path.length === 0 ? undefined : (
      <h1 className={styles.path}>
        <Link href="/library" className={styles.above} data-drop-id="root">
          All files
        </Link>
        {path.map(({ _id, name }, at) => (
          <Fragment key={_id}>
            <ChevronRight className={styles.arrow} size={16} aria-hidden="true" />
            {at === path.length - 1 ? (
              <span className={styles.here}>{name}</span>
            ) : (
              <Link href={`/library?folder=${_id}`} className={styles.above} data-drop-id={_id}>
                {name}
              </Link>
            )}
          </Fragment>
        ))}
      </h1>
    );
  return (
    <TopBar title={title} heading={heading} search={<SearchField value={text} onChange={setText} onEnter={search} />} />
  );
});
