import { type FocusEvent, type KeyboardEvent, useRef } from "react";
import type { Geometry } from "./geometry.ts";
import { isMove, moved } from "./moves.ts";
import { everything, extended, NOTHING, type Selection, toggled } from "./selection.ts";

interface Keyed {
  readonly geometry: Geometry;
  readonly position: number;
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
  readonly focus: (position: number) => void;
  /** Moves the focus, and shows where it is. */
  readonly move: (position: number) => void;
  readonly open: (position: number) => void;
}

/** The keys of the grid itself: moving, selecting, opening. All others are commands. */
export function useGridKeys(keyed: Keyed) {
  const now = useRef(keyed);
  now.current = keyed;
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { geometry, position, selection, select, move, open } = now.current;
    const { key, shiftKey } = event;
    if (!(event.target instanceof HTMLElement) || event.target.dataset.position === undefined || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isMove(key)) {
      const next = moved(position, key, geometry);
      // A range needs somewhere to begin: the first one begins where the focus was.
      const begun = selection.intervals.length === 0 ? { ...NOTHING, anchor: position } : selection;
      if (shiftKey) select(extended(begun, next));
      move(next);
    } else if (isCommand && key.toLowerCase() === "a") select(everything(geometry.total));
    else if (isCommand) return;
    else if (key === " " || key.toLowerCase() === "x") select(toggled(selection, position));
    else if (key === "Enter") open(position);
    else if (key === "Escape" && selection.intervals.length > 0) select(NOTHING);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** Screen readers, and windows that close, give the focus to a tile by themselves. */
  const onFocus = ({ target }: FocusEvent<HTMLDivElement>) => {
    const { position } = target.dataset;
    if (position !== undefined && Number(position) !== now.current.position) now.current.focus(Number(position));
  };
  return { onKeyDown, onFocus };
}
