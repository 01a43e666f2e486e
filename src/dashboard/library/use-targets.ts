import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { readPositions } from "../api/queries/images.ts";
import { toast } from "../design/toast.tsx";
import type { Item } from "./change.ts";
import type { Interval } from "./intervals.ts";
import { positionOf } from "./use-grid-pointer.ts";
import { useLastFocus } from "./use-last-focus.ts";
import type { Library } from "./use-library.ts";

/** Which files an action is for: the selected ones, or the one with the focus where nothing is selected. */
export function useTargets(now: RefObject<Library>) {
  const client = useQueryClient();
  const [isReading, setReading] = useState(false);
  const lastFocus = useLastFocus();
  const targets = (): readonly Interval[] => {
    const { selection, focus, total = 0 } = now.current;
    if (selection.intervals.length > 0) return selection.intervals;
    return focus < total && lastFocus() === "tile" ? [{ start: focus, end: focus + 1 }] : [];
  };
  const count = () => targets().reduce((sum, { start, end }) => sum + end - start, 0);

  /** The files themselves; those that are not loaded are asked for. */
  const collect = async (): Promise<Item[]> => {
    const { pages } = now.current;
    const wanted = targets();
    const loaded = wanted.flatMap(({ start, end }) =>
      end - start > 1000 ? [undefined] : Array.from({ length: end - start }, (_, at) => pages.slot(start + at)),
    );
    if (!loaded.includes(undefined)) return loaded as Item[];
    setReading(true);
    try {
      const items: Item[] = [];
      for await (const item of readPositions(client, pages.filter, wanted)) items.push(item);
      return items;
    } finally {
      setReading(false);
    }
  };
  const withItems = (act: (items: Item[]) => void) => () => {
    if (count() === 0) return;
    collect().then(
      (items) => items.length > 0 && act(items),
      (error: Error) => toast({ tone: "danger", title: "The files could not be read", description: error.message }),
    );
  };
  return { count, collect, withItems, isReading };
}

/** A link is copied also of the file that the pointer is on: nothing comes of it where that was not meant. */
export function hoveredPosition(): number | undefined {
  return positionOf(document.querySelector("[data-position]:hover"));
}
