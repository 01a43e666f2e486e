import { type FocusEvent, type KeyboardEvent, useRef } from "react";
import { everything, extended, NOTHING, type Selection, toggled } from "../selection/selection.ts";
import type { Geometry } from "./geometry.ts";
import { isMove, moved } from "./moves.ts";

interface Keyed {
  readonly geometry: Geometry;
  readonly position: number;
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
  readonly focus: (position: number) => void;
  /** Moves the focus and scrolls to it. */
  readonly move: (position: number) => void;
  readonly open: (position: number) => void;
}

/** The grid's own keys: move, select, open. All other keys are commands. */
export function useGridKeys(keyed: Keyed) {
  const now = useRef(keyed);
  now.current = keyed;
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { geometry, selection, select, move, open } = now.current;
    const { key, shiftKey } = event;
    if (!(event.target instanceof HTMLElement) || event.target.dataset.position === undefined || event.altKey) return;
    const position = Number(event.target.dataset.position);
    const isCommand = event.ctrlKey || event.metaKey;
    if (isMove(key)) {
      const next = moved(position, key, geometry);
      // If there is no anchor, the range begins at the focus.
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
  /** Screen readers and closing dialogs focus a tile directly. */
  const onFocus = ({ target }: FocusEvent<HTMLDivElement>) => {
    const { position } = target.dataset;
    if (position !== undefined && Number(position) !== now.current.position) now.current.focus(Number(position));
  };
  return { onKeyDown, onFocus };
}
