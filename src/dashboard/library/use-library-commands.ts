import ArrowDownUp from "lucide-react/icons/arrow-down-up";
import CheckCheck from "lucide-react/icons/check-check";
import Code from "lucide-react/icons/code";
import Download from "lucide-react/icons/download";
import FolderInput from "lucide-react/icons/folder-input";
import LayoutGrid from "lucide-react/icons/layout-grid";
import Link2 from "lucide-react/icons/link-2";
import Lock from "lucide-react/icons/lock";
import PenLine from "lucide-react/icons/pen-line";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Share2 from "lucide-react/icons/share-2";
import Star from "lucide-react/icons/star";
import Tag from "lucide-react/icons/tag";
import Trash2 from "lucide-react/icons/trash-2";
import Undo2 from "lucide-react/icons/undo-2";
import { useEffect, useRef } from "react";
import { type Command, registerCommands } from "../shell/commands.ts";
import { type Band, monthFrom } from "./grid/months.ts";
import { everything } from "./selection/selection.ts";
import type { Actions } from "./selection/use-actions.ts";
import { hoveredPosition } from "./selection/use-targets.ts";
import type { Library } from "./use-library.ts";
import { chooseSorting, SORT_TITLES, sortedBy } from "./view/sort-choice.ts";
import { SORT_BYS, type SortBy } from "./view/sorting.ts";

export function useLibraryCommands(library: Library, actions: Actions, bands: readonly Band[]): void {
  const now = useRef({ library, actions, bands });
  now.current = { library, actions, bands };
  const { status } = library.filters;
  useEffect(() => registerCommands(toCommands(now, status)), [status]);
}

type Now = {
  readonly current: { readonly library: Library; readonly actions: Actions; readonly bands: readonly Band[] };
};

function toCommands(now: Now, status: "active" | "trash"): Command[] {
  const hasTarget = () => now.current.actions.count() > 0 && now.current.library.address.openId === undefined;
  const canCopy = () => hasTarget() || hoveredPosition() !== undefined;
  const isShown = () => now.current.library.address.openId === undefined;
  /** @param by 1 for an older month */
  const month = (by: 1 | -1) => () => {
    const { library, bands } = now.current;
    const isReversed = library.address.sorting.order === "asc";
    library.showFrom(monthFrom(bands, library.shown.top, isReversed ? (-by as 1 | -1) : by));
  };
  const sort = (by: SortBy): Command => ({
    id: `sort-${by}`,
    title: `Sort by ${SORT_TITLES[by].toLowerCase()}`,
    icon: ArrowDownUp,
    group: "Library",
    when: isShown,
    run: () => {
      const { address } = now.current.library;
      if (address.sorting.by !== by) chooseSorting(address, sortedBy(by, address.sorting));
    },
  });
  const files = (command: Omit<Command, "group" | "when">): Command => ({
    ...command,
    group: "Files",
    when: hasTarget,
  });
  const act =
    (
      name:
        | "copy"
        | "formats"
        | "favourite"
        | "setPrivate"
        | "rename"
        | "move"
        | "tag"
        | "share"
        | "download"
        | "trash"
        | "restore"
        | "deleteForGood",
    ) =>
    () =>
      now.current.actions[name]();

  const everywhere = [
    { ...files({ id: "copy-link", title: "Copy link", keys: "c", icon: Link2, run: act("copy") }), when: canCopy },
    files({ id: "copy-as", title: "Copy as Markdown, HTML, BBCode", keys: "Shift+C", icon: Code, run: act("formats") }),
    files({ id: "favourite", title: "Favourite", keys: "f", icon: Star, run: act("favourite") }),
    files({ id: "private", title: "Make private or public", keys: "p", icon: Lock, run: act("setPrivate") }),
    {
      ...files({ id: "rename", title: "Rename", keys: "F2", icon: PenLine, run: act("rename") }),
      when: () => hasTarget() && now.current.actions.count() === 1,
    },
    files({ id: "move", title: "Move to a folder", keys: "m", icon: FolderInput, run: act("move") }),
    files({ id: "tag", title: "Tag", keys: "t", icon: Tag, run: act("tag") }),
    files({ id: "download", title: "Download", keys: "d", icon: Download, run: act("download") }),
    files({ id: "delete", title: "Delete permanently", keys: "Shift+Delete", icon: Trash2, run: act("deleteForGood") }),
  ];
  const ofStatus =
    status === "trash"
      ? [files({ id: "restore", title: "Restore", keys: "r", icon: RotateCcw, run: act("restore") })]
      : [
          files({ id: "share", title: "Share by a link", keys: "s", icon: Share2, run: act("share") }),
          files({ id: "trash", title: "Move to the trash", keys: "Delete", icon: Trash2, run: act("trash") }),
        ];
  return [
    ...everywhere,
    ...ofStatus,
    {
      id: "select-all",
      title: "Select all",
      keys: "$mod+a",
      icon: CheckCheck,
      group: "Files",
      when: isShown,
      run: () => now.current.library.select(everything(now.current.library.total ?? 0)),
    },
    {
      id: "select-none",
      title: "Select none",
      keys: "Escape",
      group: "Files",
      when: () => isShown() && now.current.actions.selected() > 0,
      run: () => now.current.actions.clear(),
    },
    {
      id: "undo",
      title: "Undo",
      keys: "$mod+z",
      icon: Undo2,
      group: "Files",
      run: () => now.current.library.changes.undoLast(),
    },
    ...SORT_BYS.map(sort),
    {
      id: "sort-reverse",
      title: "Reverse the order",
      icon: ArrowDownUp,
      group: "Library",
      when: isShown,
      run: () => {
        const { address } = now.current.library;
        chooseSorting(address, sortedBy(address.sorting.by, address.sorting));
      },
    },
    { id: "older", title: "Older month", keys: "[", group: "Library", when: isShown, run: month(1) },
    { id: "newer", title: "Newer month", keys: "]", group: "Library", when: isShown, run: month(-1) },
    {
      id: "view",
      title: "Grid or table",
      keys: "v",
      icon: LayoutGrid,
      group: "Library",
      when: isShown,
      run: () => {
        const { address, view } = now.current.library;
        address.setView({ ...view, mode: view.mode === "grid" ? "table" : "grid" });
      },
    },
  ];
}
