import ChevronRight from "lucide-react/icons/chevron-right";
import { Fragment } from "react";
import { Link } from "wouter";
import { SearchField } from "../shell/search-field.tsx";
import { TopBar } from "../shell/top-bar.tsx";
import { pathTo } from "./folders/folder-nodes.ts";
import styles from "./library-top.module.css";
import type { Library } from "./use-library.ts";
import { useSearchText } from "./use-search-text.ts";

/** The library's first row: where one is, as a way back up, and the search. */
export function LibraryTop({ library: { filters, address, folders = [] } }: { readonly library: Library }) {
  const { status, folder, fav } = filters;
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
}
