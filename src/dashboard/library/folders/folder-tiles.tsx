import FolderIcon from "lucide-react/icons/folder";
import { memo, useMemo } from "react";
import { Link } from "wouter";
import type { Folder } from "../../../client/index.ts";
import { formatPlural } from "../../design/format.ts";
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
  return (
    <ul className={styles.tiles} aria-label="Folders" data-alone={isAlone || undefined}>
      {nodes.slice(0, MOST_TILES).map(({ folder: { _id, name, itemCount }, children }) => (
        <li key={_id}>
          <Link href={`/library?folder=${_id}`} className={styles.tile} data-drop-id={_id}>
            <FolderIcon size={20} aria-hidden="true" />
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

/** "4 files, 2 folders". */
function contentsOf(files: number, folders: number): string {
  const counts = [
    ...(files > 0 ? [formatPlural(files, "file")] : []),
    ...(folders > 0 ? [formatPlural(folders, "folder")] : []),
  ];
  return counts.join(", ") || "Empty";
}
