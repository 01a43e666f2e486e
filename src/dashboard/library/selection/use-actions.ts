import { useCallback, useRef, useState } from "react";
import { toast } from "../../design/toast.tsx";
import { MOST_UNDONE } from "../changes/most-undone.ts";
import type { Item, Patch } from "../changes/patch.ts";
import type { ChangeProgress } from "../changes/perform-change.ts";
import type { DropTarget } from "../drag/drop-target.ts";
import type { Library } from "../use-library.ts";
import { files } from "../words.ts";
import { countSelected, everything, NOTHING } from "./selection.ts";
import { hoveredPosition, useTargets } from "./use-targets.ts";

/** The code that copies links is loaded after the page is shown. */
export const loadCopy = () => import("./copy-links.ts");

/** An open dialog about files. `items` is empty if there are more than can be undone. */
export interface ActionDialog {
  readonly kind: "move" | "tag" | "share" | "delete" | "formats" | "many";
  readonly items: readonly Item[];
  readonly count: number;
  /** The change that `many` asks to confirm. */
  readonly patch?: Patch;
}

/** A file whose name is edited in its place. */
export interface Renaming {
  readonly item: Item;
  /** The name that the service refused, and its message. */
  readonly text?: string;
  readonly error?: string;
}

export type Actions = ReturnType<typeof useActions>;

/** The actions on the selected files, or on the focused file if nothing is selected. */
export function useActions(library: Library) {
  const now = useRef(library);
  now.current = library;
  const [dialog, setDialog] = useState<ActionDialog>();
  const [renaming, setRenaming] = useState<Renaming>();
  const [progress, setProgress] = useState<ChangeProgress>();
  const { count, collect, withItems, isReading } = useTargets(now);

  const perform = (items: readonly Item[], patch: Patch) =>
    now.current.changes.perform(items, patch, { onStep: setProgress });
  const ask = (kind: ActionDialog["kind"], patch?: Patch) => {
    const all = count();
    if (all > MOST_UNDONE && kind !== "delete") setDialog({ kind, items: [], count: all, patch });
    else withItems((items) => setDialog({ kind, items, count: items.length, patch }))();
  };
  const change = (patch: Patch) => () =>
    count() > MOST_UNDONE ? ask("many", patch) : withItems((items) => void perform(items, patch))();
  /** Sets a field of all files, or sets it back if all have the value. */
  const toggle = (field: "favorite" | "visibility", on: Item[typeof field], off: Item[typeof field]) => () =>
    count() > MOST_UNDONE
      ? ask("many", { [field]: on })
      : withItems((items) => void perform(items, { [field]: items.every((item) => item[field] === on) ? off : on }))();
  const copy = (items: readonly Item[]) =>
    loadCopy().then(
      ({ copyLinks }) => copyLinks(items),
      () => toast({ tone: "danger", title: "The links could not be copied" }),
    );

  return {
    dialog,
    renaming,
    progress,
    isReading,
    openDialog: (kind: ActionDialog["kind"], items: readonly Item[]) => setDialog({ kind, items, count: items.length }),
    closeDialog: () => setDialog(undefined),
    perform,
    onStep: setProgress,
    collect,
    count,
    copy: () => {
      const hovered = hoveredPosition();
      if (count() > 0 || hovered === undefined) withItems((items) => void copy(items))();
      else void copy([now.current.pages.slot(hovered)].filter((item) => item !== undefined));
    },
    copyOne: (item: Item | undefined) => void (item !== undefined && copy([item])),
    move: () => ask("move"),
    tag: () => ask("tag"),
    share: () => ask("share"),
    formats: withItems((items) => setDialog({ kind: "formats", items, count: items.length })),
    deleteForGood: () => ask("delete"),
    rename: withItems(([item]) => {
      const { pages, goTo, selection, focus } = now.current;
      const position = selection.intervals[0]?.start ?? focus;
      if (item === undefined || pages.slot(position)?._id !== item._id) return;
      goTo(position);
      setRenaming({ item });
    }),
    endRename: useCallback(() => setRenaming(undefined), []),
    saveName: (item: Item, originalFilename: string) =>
      now.current.changes.perform(
        [item],
        { facts: { originalFilename } },
        {
          onRefused: (error) => setRenaming({ item, text: originalFilename, error }),
        },
      ),
    trash: change({ status: "trash" }),
    restore: change({ status: "active" }),
    dropOn: (target: DropTarget) => change(toPatch(target))(),
    /** Empties the trash, regardless of the selection. */
    emptyTrash: () => {
      now.current = { ...now.current, selection: everything(now.current.total ?? 0) };
      ask("delete");
    },
    /** Marks all files as favourites, or unmarks them if all are marked. */
    favourite: toggle("favorite", true, false),
    /** Makes all files private, or public if all are private. */
    setPrivate: toggle("visibility", "private", "public"),
    download: withItems((items) => {
      const download = () => import("./download-selected.ts").then(({ downloadSelected }) => downloadSelected(items));
      download().catch((error: Error) =>
        toast({ tone: "danger", title: `${files(items.length)} could not be downloaded`, description: error.message }),
      );
    }),
    clear: () => now.current.select(NOTHING),
    selected: () => countSelected(now.current.selection),
  };
}

function toPatch(target: DropTarget): Patch {
  switch (target.kind) {
    case "folder":
      return { folderId: target.folderId };
    case "trash":
      return { status: "trash" };
    case "favourites":
      return { favorite: true };
    case "tag":
      return { addTags: [target.tag] };
  }
}
