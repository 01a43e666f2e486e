import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { readPositions } from "../../api/queries/images.ts";
import { toast } from "../../design/toast.tsx";
import type { Item } from "../changes/patch.ts";
import { positionOf } from "../grid/use-grid-pointer.ts";
import type { Library } from "../use-library.ts";
import type { Interval } from "./intervals.ts";

/** Overlays that return the focus when they close. */
const OVERLAYS = '[role="dialog"], [role="menu"], [role="listbox"]';

/** The files of an action: the selected files, or the focused file if nothing is selected. */
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

  /** The files themselves. Files that are not loaded are fetched. */
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

/** Copying also uses the file under the pointer, because a copy does no harm. */
export function hoveredPosition(): number | undefined {
  return positionOf(document.querySelector("[data-position]:hover"));
}

/** Whether the focus is on a file's tile, or was there before an overlay opened. */
function useLastFocus(): () => "tile" | "other" {
  const last = useRef<"tile" | "other">("other");
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || target.closest(OVERLAYS) !== null) return;
      last.current = target.closest("[data-position]") === null ? "other" : "tile";
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  return () => last.current;
}
