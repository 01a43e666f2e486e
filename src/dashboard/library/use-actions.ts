import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { readPositions } from "../api/queries/images.ts";
import { copyText } from "../design/copy-text.ts";
import { toast } from "../design/toast.tsx";
import { type Item, MOST_UNDONE, type Patch } from "./change.ts";
import type { DropTarget } from "./drag/drop-target.ts";
import { toPatch } from "./drag/to-patch.ts";
import { subtract } from "./intervals.ts";
import { countSelected, everything, NOTHING } from "./selection.ts";
import type { Progress } from "./use-changes.ts";
import type { Library } from "./use-library.ts";
import { hoveredPosition, useTargets } from "./use-targets.ts";
import { files } from "./words.ts";

/** The most that the service leaves out of a change of all. */
const MOST_EXCEPTED = 1000;

/** A window that asks something about files. `items` is empty where there are more than can be undone. */
export interface Asking {
  readonly kind: "move" | "tag" | "delete" | "formats" | "many";
  readonly items: readonly Item[];
  readonly count: number;
  /** Of `many`: what is to be done with them. */
  readonly patch?: Patch;
}

export type Actions = ReturnType<typeof useActions>;

/** What can be done with the selected files, or with the focused one where nothing is selected. */
export function useActions(library: Library) {
  const client = useQueryClient();
  const now = useRef(library);
  now.current = library;
  const [asking, setAsking] = useState<Asking>();
  const [progress, setProgress] = useState<Progress>();
  const { count, collect, withItems, isReading } = useTargets(now);

  const perform = (items: readonly Item[], patch: Patch) => now.current.changes.perform(items, patch, setProgress);
  const ask = (kind: Asking["kind"], patch?: Patch) => {
    const all = count();
    if (all > MOST_UNDONE && kind !== "delete") setAsking({ kind, items: [], count: all, patch });
    else withItems((items) => setAsking({ kind, items, count: items.length, patch }))();
  };
  const change = (patch: Patch) => () =>
    count() > MOST_UNDONE ? ask("many", patch) : withItems((items) => void perform(items, patch))();
  /** What a window asked for is done: for its files, or for more than can be undone. */
  const performAsked = async ({ items, count: all }: Asking, patch: Patch) => {
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
    if (items.length > MOST_UNDONE) return toast({ tone: "danger", title: `At most ${files(MOST_UNDONE)} are copied` });
    const isDone = await copyText(items.map(({ url }) => url).join("\n"));
    if (!isDone) return toast({ tone: "danger", title: "The browser did not let us copy" });
    toast({
      title: items.length === 1 ? "Link copied" : `${items.length} links copied`,
      description: items[0]?.prompt,
    });
  };

  return {
    asking,
    progress,
    isReading,
    askAbout: (kind: Asking["kind"], items: readonly Item[]) => setAsking({ kind, items, count: items.length }),
    closeAsking: () => setAsking(undefined),
    performAsked: (asked: Asking, patch: Patch) =>
      void performAsked(asked, patch).catch((error: Error) =>
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
    formats: withItems((items) => setAsking({ kind: "formats", items, count: items.length })),
    deleteForGood: () => ask("delete"),
    trash: change({ status: "trash" }),
    restore: change({ status: "active" }),
    /** What is dragged was let go over something. */
    dropOn: (target: DropTarget) => change(toPatch(target))(),
    /** The trash is emptied, whatever is selected. */
    emptyTrash: () => {
      now.current = { ...now.current, selection: everything(now.current.total ?? 0) };
      ask("delete");
    },
    /** All are marked, unless all are already. */
    favourite: () =>
      count() > MOST_UNDONE
        ? ask("many", { favorite: true })
        : withItems((items) => void perform(items, { favorite: !items.every(({ favorite }) => favorite) }))(),
    download: withItems((items) => {
      const download = () => import("./download.ts").then(({ downloadFiles }) => downloadFiles(items));
      download().catch((error: Error) =>
        toast({ tone: "danger", title: `${files(items.length)} could not be downloaded`, description: error.message }),
      );
    }),
    clear: () => now.current.select(NOTHING),
    selected: () => countSelected(now.current.selection),
  };
}
