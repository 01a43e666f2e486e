import ChevronRight from "lucide-react/icons/chevron-right";
import { Fragment, memo, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { Folder } from "../../client/index.ts";
import { sparePart } from "../design/lazy-part.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { TopBar } from "../shell/top-bar.tsx";
import { pathTo } from "./folders/folder-nodes.ts";
import styles from "./library-top.module.css";
import type { Address } from "./view/use-address.ts";

const SortMenu = sparePart(() => import("./sort-menu.tsx"), <span className={styles.sort} />);

interface LibraryTopProps {
  readonly address: Address;
  readonly folders: readonly Folder[] | undefined;
}

/** The library's first row: the path of the folder, the search, and the order. */
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
    <TopBar
      title={title}
      heading={heading}
      search={<SearchField value={text} onChange={setText} onEnter={search} />}
      actions={<SortMenu address={address} />}
    />
  );
});

const PAUSE_MS = 200;

/**
 * The text of the search field. It is applied a moment after the last letter. The first search adds a history entry, and further letters
 * replace it.
 * @returns the text, its setter, and a function that applies it at once
 */
function useSearchText(address: Address) {
  const { filters } = address;
  const [text, setText] = useState(filters.q);
  const now = useRef(address);
  now.current = address;
  const written = useRef(filters.q);
  const pending = useRef<() => void>(undefined);

  useEffect(() => {
    // The address changed by "back" or a removed filter.
    if (filters.q === written.current) return;
    written.current = filters.q;
    setText(filters.q);
  }, [filters.q]);
  useEffect(() => {
    const q = text.trim().normalize("NFC");
    if (q === now.current.filters.q) return;
    const { href } = location;
    const write = () => {
      stop();
      const { filters, setFilters, isChosen } = now.current;
      // A link was followed since. The text was for the view before it.
      if (location.href !== href && !isChosen()) return setText(filters.q);
      written.current = q;
      setFilters({ ...filters, q }, filters.q !== "");
    };
    const timer = setTimeout(write, PAUSE_MS);
    const stop = () => {
      clearTimeout(timer);
      pending.current = undefined;
    };
    pending.current = write;
    return stop;
  }, [text]);
  return [text, setText, () => pending.current?.()] as const;
}
