import { useQueries } from "@tanstack/react-query";
import FolderIcon from "lucide-react/icons/folder";
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import type { Folder } from "../../../client/index.ts";
import { MOST_FOLDERS, newestOfFolders } from "../../api/queries/newest-of-folders.ts";
import { formatPlural } from "../../design/format.ts";
import type { Item } from "../changes/patch.ts";
import type { Filters } from "../view/filters.ts";
import type { FolderNode } from "./folder-nodes.ts";
import styles from "./folder-tiles.module.css";
import { nodesOf } from "./nodes-of.ts";

/** A search for one letter may find thousands. */
const MOST_TILES = 200;

interface FolderTilesProps {
  readonly folders: readonly Folder[];
  readonly filters: Filters;
  /** Whether the view has no files. */
  readonly isAlone: boolean;
}

/** The view's folders above its files: subfolders or search results. Files can be dropped on them. */
export default function FolderTiles({ folders, filters, isAlone }: FolderTilesProps) {
  const nodes = useMemo(() => nodesOf(folders, filters), [folders, filters]);
  return (
    <>
      <p className="hidden-text" role="status">
        {filters.q !== "" && nodes.length > 0 ? formatPlural(nodes.length, "folder") : ""}
      </p>
      {nodes.length > 0 && <Tiles nodes={nodes} isAlone={isAlone} />}
    </>
  );
}

const Tiles = memo(function Tiles({ nodes, isAlone }: { readonly nodes: readonly FolderNode[]; isAlone: boolean }) {
  const list = useRef<HTMLUListElement>(null);
  const shown = nodes.slice(0, MOST_TILES);
  const pictures = usePictures(list, shown);
  return (
    <ul ref={list} className={styles.tiles} aria-label="Folders" data-alone={isAlone || undefined}>
      {shown.map(({ folder: { _id, name, itemCount }, children }, at) => (
        <li key={_id} data-batch={at % MOST_FOLDERS === 0 ? at / MOST_FOLDERS : undefined}>
          <Link href={`/library?folder=${_id}`} className={styles.tile} data-drop-id={_id} data-drag-folder={_id}>
            <Pictures items={itemCount === 0 ? [] : (pictures.get(_id) ?? [])} />
            <span className={styles.name} title={name}>
              {name}
            </span>
            <span className={styles.counts}>{contentsOf(itemCount, children.length)}</span>
          </Link>
        </li>
      ))}
      {nodes.length > MOST_TILES && <li className={styles.more}>{nodes.length - MOST_TILES} more</li>}
    </ul>
  );
});

/** The newest files of each folder, by its id. They are fetched for the tiles that were in sight. */
function usePictures(list: RefObject<HTMLElement | null>, nodes: readonly FolderNode[]) {
  const ids = nodes.map(({ folder }) => folder._id);
  const [batches, setBatches] = useState(1);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      const seen = entries.filter(({ isIntersecting }) => isIntersecting);
      const needed = seen.map(({ target }) => Number((target as HTMLElement).dataset.batch) + 1);
      setBatches((before) => Math.max(before, ...needed));
    });
    for (const first of list.current?.querySelectorAll("[data-batch]") ?? []) observer.observe(first);
    return () => observer.disconnect();
  }, [list, ids.length]);
  const wanted = Array.from({ length: Math.min(batches, Math.ceil(ids.length / MOST_FOLDERS)) }, (_, at) =>
    newestOfFolders(ids.slice(at * MOST_FOLDERS, (at + 1) * MOST_FOLDERS)),
  );
  const answers = useQueries({ queries: wanted });
  return new Map(answers.flatMap(({ data = [] }) => data.map(({ _id, images }) => [_id, images] as const)));
}

/** Up to four pictures of a folder's newest files; its icon if it has no files. */
function Pictures({ items }: { readonly items: readonly Item[] }) {
  return (
    <span className={styles.pictures} data-count={items.length} aria-hidden="true">
      {items.length === 0 && <FolderIcon size={24} />}
      {items.map(({ _id, previewUrl, takedown, mimeType }) =>
        previewUrl && takedown === undefined ? (
          <img key={_id} src={previewUrl} alt="" loading="lazy" decoding="async" draggable={false} />
        ) : (
          <span key={_id} className={styles.icon} data-icon={mimeType.startsWith("video/") ? "film" : "image"} />
        ),
      )}
    </span>
  );
}

/** "4 files, 2 folders". */
function contentsOf(files: number, folders: number): string {
  const counts = [
    ...(files > 0 ? [formatPlural(files, "file")] : []),
    ...(folders > 0 ? [formatPlural(folders, "folder")] : []),
  ];
  return counts.join(", ") || "Empty";
}
