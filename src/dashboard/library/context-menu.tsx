import Folder from "lucide-react/icons/folder";
import Maximize from "lucide-react/icons/maximize";
import { Suspense, useRef, useState } from "react";
import { useLocation } from "wouter";
import { lazyPart } from "../design/lazy-part.tsx";
import { MenuPopup } from "../design/menu.tsx";
import type { MenuItem } from "../design/menu-popup.tsx";
import { listCommands } from "../shell/commands.ts";
import { folderActions } from "./folders/folder-actions.ts";
import type { FolderDialog } from "./folders/folder-dialogs.tsx";
import type { Actions } from "./selection/use-actions.ts";
import { type ContextTarget, useContextTarget } from "./use-context-target.ts";
import type { Library } from "./use-library.ts";

const FolderDialogs = lazyPart(() => import("./folders/folder-dialogs.tsx"));

interface ContextMenuProps {
  readonly library: Library;
  readonly actions: Actions;
}

/** The commands of each menu in groups. A command that does not apply is left out. */
const FILE_COMMANDS = [
  ["copy-link", "copy-as", "download"],
  ["favourite", "private", "tag", "move", "rename", "share"],
  ["trash", "restore", "delete"],
];
const GROUND_COMMANDS = [["upload", "new-folder"], ["select-all", "undo"], ["view"]];
/** Titles that are too long for a menu. */
const SHORTER: Readonly<Record<string, string>> = { "copy-as": "Copy as…" };
const DANGERS = ["trash", "delete"];

/** The menu of a right-click, a long press, or the menu key: on files, on a folder, or on empty ground. */
export function ContextMenu({ library, actions }: ContextMenuProps) {
  const { target, close } = useContextTarget(library, actions);
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<FolderDialog>();
  /** The menu whose choice was to rename. */
  const renamed = useRef<number>(undefined);
  const itemsOf = ({ kind, id }: ContextTarget): MenuItem[] => {
    if (kind === "folder") {
      const openFolder = () => navigate(`/library?folder=${id}`);
      return [{ id: "open", title: "Open", icon: Folder, onSelect: openFolder }, ...folderActions(id, setDialog)];
    }
    if (kind === "ground") return toItems(GROUND_COMMANDS);
    const open = () => library.open(library.pages.slot(library.focus));
    const first: MenuItem[] =
      actions.count() === 1 ? [{ id: "open", title: "Open", icon: Maximize, keys: "Enter", onSelect: open }] : [];
    return [...first, ...toItems(FILE_COMMANDS)];
  };
  return (
    <Suspense fallback={null}>
      {target !== undefined && (
        <MenuPopup
          key={target.number}
          items={itemsOf(target).map((item) => ({
            ...item,
            onSelect() {
              renamed.current = item.id === "rename" ? target.number : undefined;
              item.onSelect();
            },
          }))}
          place={target.place}
          // The name's field keeps the focus that it takes.
          finalFocus={() => (renamed.current === target.number ? false : target.origin)}
          popup={{ open: target.isOpen, setOpen: (open) => !open && close() }}
        />
      )}
      {dialog !== undefined && (
        <FolderDialogs dialog={dialog} folders={library.folders ?? []} onClose={() => setDialog(undefined)} />
      )}
    </Suspense>
  );
}

function toItems(groups: readonly (readonly string[])[]): MenuItem[] {
  const commands = listCommands();
  return groups.flatMap((ids, group) => {
    const found = ids.flatMap(
      (id) => commands.find((command) => command.id === id && command.when?.() !== false) ?? [],
    );
    return found.map(({ id, title, keys, icon, run }, at): MenuItem => {
      return {
        id,
        title: SHORTER[id] ?? title,
        keys,
        ...(icon && { icon }),
        danger: DANGERS.includes(id),
        separated: at === 0 && group > 0,
        onSelect: run,
      };
    });
  });
}
