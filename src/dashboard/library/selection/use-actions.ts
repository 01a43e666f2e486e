import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { readPositions } from "../../api/queries/images.ts";
import { copyText } from "../../design/copy-text.ts";
import { formatPlural } from "../../design/format.ts";
import { toast } from "../../design/toast.tsx";
import { type Item, MOST_UNDONE, type Patch } from "../changes/patch.ts";
import type { Progress } from "../changes/perform-change.ts";
import type { DropTarget } from "../drag/drop-target.ts";
import type { Library } from "../use-library.ts";
import { files } from "../words.ts";
import { subtract } from "./intervals.ts";
import { countSelected, everything, NOTHING } from "./selection.ts";
import { hoveredPosition, useTargets } from "./use-targets.ts";

/** The most ids that the service excludes from a change of all files. */
const MOST_EXCEPTED = 1000;

/** An open dialog about files. `items` is empty if there are more than can be undone. */
export interface ActionDialog {
  readonly kind: "move" | "tag" | "delete" | "formats" | "many";
  readonly items: readonly Item[];
  readonly count: number;
  /** The change that `many` asks to confirm. */
  readonly patch?: Patch;
}

export type Actions = ReturnType<typeof useActions>;

/** The actions on the selected files, or on the focused file if nothing is selected. */
export function useActions(library: Library) {
  const client = useQueryClient();
  const now = useRef(library);
  now.current = library;
  const [dialog, setDialog] = useState<ActionDialog>();
  const [progress, setProgress] = useState<Progress>();
  const { count, collect, withItems, isReading } = useTargets(now);

  const perform = (items: readonly Item[], patch: Patch) => now.current.changes.perform(items, patch, setProgress);
  const ask = (kind: ActionDialog["kind"], patch?: Patch) => {
    const all = count();
    if (all > MOST_UNDONE && kind !== "delete") setDialog({ kind, items: [], count: all, patch });
    else withItems((items) => setDialog({ kind, items, count: items.length, patch }))();
  };
  const change = (patch: Patch) => () =>
    count() > MOST_UNDONE ? ask("many", patch) : withItems((items) => void perform(items, patch))();
  /** Performs a confirmed action on its files, also if these are more than can be undone. */
  const performConfirmed = async ({ items, count: all }: ActionDialog, patch: Patch) => {
    if (items.length > 0) return perform(items, patch);
    const { pages, selection, total = 0, changes } = now.current;
    const others = subtract([{ start: 0, end: total }], selection.intervals);
    if (others.reduce((sum, { start, end }) => sum + end - start, 0) > MOST_EXCEPTED)
      return perform(await collect(), patch);
    const except: string[] = [];
    for await (const { _id } of readPositions(client, pages.filter, others)) except.push(_id);
    now.current.select(NOTHING);
    return changes.performAll(all, except, patch, setProgress);
  };
  const copy = async (items: readonly Item[]) => {
    if (items.length > MOST_UNDONE)
      return toast({ tone: "danger", title: `At most ${formatPlural(MOST_UNDONE, "link")} can be copied at once` });
    const isDone = await copyText(items.map(({ url }) => url).join("\n"));
    if (!isDone) return toast({ tone: "danger", title: "The browser blocked copying" });
    toast({
      title: items.length === 1 ? "Link copied" : `${items.length} links copied`,
      description: items[0]?.prompt,
    });
  };

  return {
    dialog,
    progress,
    isReading,
    openDialog: (kind: ActionDialog["kind"], items: readonly Item[]) => setDialog({ kind, items, count: items.length }),
    closeDialog: () => setDialog(undefined),
    performConfirmed: (confirmed: ActionDialog, patch: Patch) =>
      void performConfirmed(confirmed, patch).catch((error: Error) =>
        toast({ tone: "danger", title: "The files could not be changed", description: error.message }),
      ),
    count,
    copy: () => {
      const hovered = hoveredPosition();
      if (count() > 0 || hovered === undefined) withItems((items) => void copy(items))();
      else void copy([now.current.pages.slot(hovered)].filter((item) => item !== undefined));
    },
    copyOne: (item: Item | undefined) => void (item !== undefined && copy([item])),
    move: () => ask("move"),
    tag: () => ask("tag"),
    formats: withItems((items) => setDialog({ kind: "formats", items, count: items.length })),
    deleteForGood: () => ask("delete"),
    trash: change({ status: "trash" }),
    restore: change({ status: "active" }),
    dropOn: (target: DropTarget) => change(toPatch(target))(),
    /** Empties the trash, regardless of the selection. */
    emptyTrash: () => {
      now.current = { ...now.current, selection: everything(now.current.total ?? 0) };
      ask("delete");
    },
    /** Marks all files as favourites, or unmarks them if all are marked. */
    favourite: () =>
      count() > MOST_UNDONE
        ? ask("many", { favorite: true })
        : withItems((items) => void perform(items, { favorite: !items.every(({ favorite }) => favorite) }))(),
    download: withItems((items) => {
      const download = () => import("./download-files.ts").then(({ downloadFiles }) => downloadFiles(items));
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
