import Download from "lucide-react/icons/download";
import Lock from "lucide-react/icons/lock";
import LockOpen from "lucide-react/icons/lock-open";
import Maximize from "lucide-react/icons/maximize";
import PanelRight from "lucide-react/icons/panel-right";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Star from "lucide-react/icons/star";
import Trash2 from "lucide-react/icons/trash-2";
import X from "lucide-react/icons/x";
import type { ReactNode } from "react";
import { formatCount } from "../design/format.ts";
import { IconButton } from "../design/icon-button.tsx";
import styles from "./file-bar.module.css";
import type { FileFacts } from "./file-facts.ts";
import { isPrivate } from "./signed-link.ts";
import type { FileActions } from "./use-file-keys.ts";

interface FileBarProps {
  readonly file: FileFacts | undefined;
  readonly position: number | undefined;
  readonly total: number | undefined;
  readonly act: FileActions;
  readonly isFilm: boolean;
  readonly hasPanel: boolean;
  readonly onClose: () => void;
  /** Replaces the name while it is edited. */
  readonly nameField: ReactNode;
}

export function FileBar({ file, position, total, act, isFilm, hasPanel, onClose, nameField }: FileBarProps) {
  const isTrashed = file?.status === "trash";
  return (
    <header className={styles.bar}>
      <IconButton size="large" label="Close" keys="Escape" icon={X} onClick={onClose} />
      <h1
        dir="auto"
        className={nameField ? "hidden-text" : styles.name}
        title={file?.prompt}
        onDoubleClick={act.rename}
      >
        {file?.prompt ?? "File"}
      </h1>
      {nameField && <div className={styles.nameField}>{nameField}</div>}
      {position !== undefined && total !== undefined && (
        <span className={styles.position}>
          {formatCount(position + 1)} of {formatCount(total)}
        </span>
      )}
      {file !== undefined && (
        <div className={styles.tools}>
          <IconButton
            size="large"
            label="Favourite"
            keys="f"
            icon={Star}
            aria-pressed={file.favorite}
            className={file.favorite ? styles.starred : ""}
            onClick={act.favourite}
          />
          <IconButton
            size="large"
            label="Private"
            keys="p"
            icon={isPrivate(file) ? Lock : LockOpen}
            aria-pressed={isPrivate(file)}
            onClick={act.setPrivate}
          />
          {!isFilm && <IconButton size="large" label="Zoom" keys="z" icon={Maximize} onClick={act.zoom} />}
          <IconButton size="large" label="Download" icon={Download} onClick={act.download} />
          <IconButton
            size="large"
            label={isTrashed ? "Restore" : "Move to the trash"}
            keys="Delete"
            icon={isTrashed ? RotateCcw : Trash2}
            onClick={act.trash}
          />
          <IconButton
            size="large"
            label="Info"
            keys="i"
            icon={PanelRight}
            aria-pressed={hasPanel}
            onClick={act.panel}
          />
        </div>
      )}
    </header>
  );
}
