import type { LucideIcon } from "lucide-react";
import Code from "lucide-react/icons/code";
import Download from "lucide-react/icons/download";
import FolderInput from "lucide-react/icons/folder-input";
import Link2 from "lucide-react/icons/link-2";
import Lock from "lucide-react/icons/lock";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Share2 from "lucide-react/icons/share-2";
import Star from "lucide-react/icons/star";
import Tag from "lucide-react/icons/tag";
import Trash2 from "lucide-react/icons/trash-2";
import X from "lucide-react/icons/x";
import { formatBytes, formatCount } from "../../design/format.ts";
import type { Library } from "../use-library.ts";
import { countSelected } from "./selection.ts";
import styles from "./selection-bar.module.css";
import type { Actions } from "./use-actions.ts";

interface SelectionBarProps {
  readonly library: Library;
  readonly actions: Actions;
}

/** The actions on the selected files, and the progress of a long change. */
export function SelectionBar({ library, actions }: SelectionBarProps) {
  const { selection, filters } = library;
  const count = countSelected(selection);
  const { progress, isReading } = actions;
  const isLong = progress !== undefined && progress.of > 1000;
  const isTrash = filters.status === "trash";
  return (
    <>
      <p className="hidden-text" role="status">
        {count === 0 ? "" : `${formatCount(count)} selected`}
      </p>
      {(count > 0 || isLong) && (
        <div className={styles.bar} role="toolbar" aria-label="Selected files">
          {isLong ? (
            <>
              <span className={styles.count}>
                {formatCount(progress.done)} of {formatCount(progress.of)}
              </span>
              <progress className={styles.progress} value={progress.done} max={progress.of} aria-label="Done" />
              <button type="button" className={styles.act} onClick={progress.stop}>
                Stop
              </button>
            </>
          ) : (
            <>
              <span className={styles.count}>
                {formatCount(count)} selected <span className={styles.size}>{isReading ? "…" : sizeOf(library)}</span>
              </span>
              <Act title={count === 1 ? "Copy link" : "Copy links"} icon={Link2} keys="C" onClick={actions.copy} />
              <Act title="Copy as…" icon={Code} keys="Shift C" onClick={actions.formats} />
              {!isTrash && <Act title="Move" icon={FolderInput} keys="M" onClick={actions.move} />}
              {!isTrash && <Act title="Tag" icon={Tag} keys="T" onClick={actions.tag} />}
              {!isTrash && <Act title="Favourite" icon={Star} keys="F" onClick={actions.favourite} />}
              {!isTrash && <Act title="Share" icon={Share2} keys="S" isExtra onClick={actions.share} />}
              <Act title="Private" icon={Lock} keys="P" isExtra onClick={actions.setPrivate} />
              <Act title="Download" icon={Download} keys="D" isExtra onClick={actions.download} />
              {isTrash && <Act title="Restore" icon={RotateCcw} keys="R" onClick={actions.restore} />}
              {isTrash ? (
                <Act
                  title="Delete permanently"
                  icon={Trash2}
                  keys="Shift Delete"
                  isDanger
                  onClick={actions.deleteForGood}
                />
              ) : (
                <Act title="Trash" icon={Trash2} keys="Delete" isDanger onClick={actions.trash} />
              )}
              <span className={styles.line} aria-hidden="true" />
              <Act title="Select none" icon={X} keys="Escape" isIcon onClick={actions.clear} />
            </>
          )}
        </div>
      )}
    </>
  );
}

interface ActProps {
  readonly title: string;
  readonly icon: LucideIcon;
  readonly keys: string;
  readonly isDanger?: boolean;
  /** Shows the icon only; the title is its accessible name. */
  readonly isIcon?: boolean;
  /** The button is hidden if there is little space. The palette has the action. */
  readonly isExtra?: boolean;
  readonly onClick: () => void;
}

function Act({ title, icon: Icon, keys, isDanger, isIcon, isExtra, onClick }: ActProps) {
  return (
    <button
      type="button"
      className={styles.act}
      data-danger={isDanger || undefined}
      data-extra={isExtra || undefined}
      data-tip={title}
      data-tip-keys={keys}
      aria-label={title}
      onClick={onClick}
    >
      <Icon size={17} aria-hidden="true" />
      {!isIcon && <span className={styles.title}>{title}</span>}
    </button>
  );
}

/** The size of all selected files; empty unless all are loaded. */
function sizeOf({ selection, pages }: Library): string {
  if (countSelected(selection) > 500) return "";
  let bytes = 0;
  for (const { start, end } of selection.intervals) {
    for (let position = start; position < end; position += 1) {
      const item = pages.slot(position);
      if (item === undefined) return "";
      bytes += item.fileSize;
    }
  }
  return formatBytes(bytes);
}
