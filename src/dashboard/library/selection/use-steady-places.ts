import { useLayoutEffect, useRef } from "react";
import type { Library } from "../use-library.ts";
import { NOTHING, type Selection, within } from "./selection.ts";
import { follow, hasMoved, readIds, readPlaces, type Slot, sameIntervals } from "./steady-places.ts";

/** Elements that have the browser's focus while a user chooses an action on the tile. */
const HOLDERS = '[data-position], [role="dialog"], [role="menu"]';

/**
 * Keeps the selection and the focus on their files while uploads, other tabs and programs add and remove files. Both are positions, and an
 * action would otherwise change the files that have come to these positions.
 */
export function useSteadyPlaces({ address, pages, total = 0, selection, select, focus, setFocus }: Library): void {
  const known = useRef(remember("", 0, NOTHING, pages.slot));
  const focused = useRef<{ position: number; id: string | undefined }>({ position: -1, id: undefined });
  useLayoutEffect(() => {
    const { key } = address;
    const { slot } = pages;
    let places: ReadonlyMap<string, number> | undefined;
    const placeOf = () => {
      places ??= readPlaces(slot, total);
      return places;
    };

    const last = known.current;
    const isChosen = last.key !== key || !sameIntervals(within(last.selection, total).intervals, selection.intervals);
    if (isChosen) known.current = remember(key, total, selection, slot);
    else if (selection.intervals.length > 0 || last.ids?.size) {
      // The positions of files that are not loaded are unknown after a change, so they leave the selection.
      const isMoved = last.ids === undefined ? last.total !== total : hasMoved(selection, last.ids, slot);
      const next = isMoved ? follow(last.ids ?? [], last.anchorId, placeOf()) : selection;
      known.current = { ...last, total, selection: next };
      if (isMoved && !sameIntervals(next.intervals, selection.intervals)) select(next);
    }

    const here = slot(focus)?._id;
    const { position, id } = focused.current;
    const isLeft = position === focus && last.key === key && id !== undefined && here !== undefined && here !== id;
    const at = isLeft && (focus > 0 || address.openId !== undefined || isHeld()) ? placeOf().get(id) : undefined;
    focused.current = {
      position: at ?? focus,
      id: at === undefined ? (here ?? (position === focus ? id : undefined)) : id,
    };
    if (at !== undefined) setFocus(at);
  });
}

/** The selection and its files, as the user chose them. */
function remember(key: string, total: number, selection: Selection, slot: Slot) {
  return { key, total, selection, ids: readIds(selection, slot), anchorId: slot(selection.anchor)?._id };
}

function isHeld(): boolean {
  return document.activeElement?.closest(HOLDERS) != null;
}
