import FolderInput from "lucide-react/icons/folder-input";
import FolderPlus from "lucide-react/icons/folder-plus";
import PenLine from "lucide-react/icons/pen-line";
import Share2 from "lucide-react/icons/share-2";
import Trash2 from "lucide-react/icons/trash-2";
import type { MenuItem } from "../../design/menu-popup.tsx";
import type { FolderDialog } from "./folder-dialogs.tsx";

/** The actions on a folder, for its menus. */
export function folderActions(id: string, ask: (dialog: FolderDialog) => void): MenuItem[] {
  return [
    { id: "create", title: "New subfolder", icon: FolderPlus, onSelect: () => ask({ kind: "create", parentId: id }) },
    { id: "rename-folder", title: "Rename", icon: PenLine, keys: "F2", onSelect: () => ask({ kind: "rename", id }) },
    { id: "move", title: "Move", icon: FolderInput, onSelect: () => ask({ kind: "move", id }) },
    { id: "share", title: "Share", icon: Share2, onSelect: () => ask({ kind: "share", id }) },
    {
      id: "delete",
      title: "Delete",
      icon: Trash2,
      keys: "Delete",
      danger: true,
      separated: true,
      onSelect: () => ask({ kind: "delete", id }),
    },
  ];
}
