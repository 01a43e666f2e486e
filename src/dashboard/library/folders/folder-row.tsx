import ChevronRight from "lucide-react/icons/chevron-right";
import Ellipsis from "lucide-react/icons/ellipsis";
import Folder from "lucide-react/icons/folder";
import FolderOpen from "lucide-react/icons/folder-open";
import { formatCount } from "../../design/format.ts";
import { IconButton } from "../../design/icon-button.tsx";
import { Menu } from "../../design/menu.tsx";
import { folderActions } from "./folder-actions.ts";
import type { FolderDialog } from "./folder-dialogs.tsx";
import type { FolderNode } from "./folder-nodes.ts";
import styles from "./folder-row.module.css";
import { openFolders } from "./open-folders.ts";

interface FolderRowProps {
  readonly node: FolderNode;
  readonly isOpen: boolean;
  readonly isCurrent: boolean;
  /** Whether the row is the tree's tab stop. */
  readonly isStop: boolean;
  readonly onOpenDialog: (dialog: FolderDialog) => void;
  readonly onFocus: () => void;
  readonly onChoose: () => void;
}

export function FolderRow({ node, isOpen, isCurrent, isStop, onOpenDialog, onFocus, onChoose }: FolderRowProps) {
  const { folder, depth, children } = node;
  const { _id: id, name, itemCount } = folder;
  const isParent = children.length > 0;
  const Icon = isOpen && isParent ? FolderOpen : Folder;
  return (
    <div
      role="treeitem"
      className={styles.row}
      style={{ paddingInlineStart: 2 + (depth - 1) * 18 }}
      tabIndex={isStop ? 0 : -1}
      data-folder={id}
      data-drop-id={id}
      data-drag-folder={id}
      aria-label={`${name} ${formatCount(itemCount)}`}
      aria-level={depth}
      aria-expanded={isParent ? isOpen : undefined}
      aria-selected={isCurrent}
      aria-current={isCurrent ? "page" : undefined}
      onFocus={onFocus}
    >
      {/* This is for pointers. Arrow keys do the same. */}
      <span
        className={styles.arrow}
        aria-hidden="true"
        data-open={isOpen || undefined}
        onClick={() => (isOpen ? openFolders.remove(id) : openFolders.add([id]))}
      >
        {isParent && <ChevronRight size={14} />}
      </span>
      <a
        className={styles.link}
        href={`/dashboard/library?folder=${id}`}
        tabIndex={-1}
        draggable={false}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          onChoose();
        }}
      >
        <Icon size={16} aria-hidden="true" />
        <span className={styles.name} title={name}>
          {name}
        </span>{" "}
        <span className={styles.count}>{formatCount(itemCount)}</span>
      </a>
      <span className={styles.menu}>
        <Menu
          align="start"
          trigger={<IconButton size="small" icon={Ellipsis} label={`Actions for ${name}`} tabIndex={-1} />}
          items={folderActions(id, onOpenDialog)}
        />
      </span>
    </div>
  );
}
