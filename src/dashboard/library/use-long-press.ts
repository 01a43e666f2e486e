import { type RefObject, useEffect, useRef } from "react";
import { edgeScroll } from "./box.ts";
import type { Geometry } from "./geometry.ts";
import type { GridWindow } from "./grid-window.ts";
import { extended, type Selection, toggled } from "./selection.ts";
import { paddingOf, positionOf } from "./use-grid-pointer.ts";

interface Pressed {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly grid: GridWindow;
  readonly geometry: Geometry;
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
}

const PRESS_MS = 400;
const SLACK_PIXELS = 10;

/** A finger that rests on a file selects it, and sweeps over others while it is down. */
export function useLongPress(pressed: Pressed): void {
  const now = useRef(pressed);
  now.current = pressed;
  const { scroller } = pressed;
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let from = { x: 0, y: 0 };
    let isSweeping = false;

    const begin = (event: TouchEvent) => {
      clearTimeout(timer);
      const touch = event.touches[0];
      const position = positionOf(event.target);
      if (event.touches.length !== 1 || touch === undefined || position === undefined) return;
      from = { x: touch.clientX, y: touch.clientY };
      timer = setTimeout(() => {
        isSweeping = true;
        navigator.vibrate?.(10);
        now.current.select(toggled(now.current.selection, position));
      }, PRESS_MS);
    };
    const sweep = (event: TouchEvent) => {
      const touch = event.touches[0];
      if (touch === undefined) return;
      if (!isSweeping) {
        if (Math.hypot(touch.clientX - from.x, touch.clientY - from.y) > SLACK_PIXELS) clearTimeout(timer);
        return;
      }
      // While it sweeps, the finger does not scroll.
      event.preventDefault();
      const { grid, geometry, selection, select } = now.current;
      const place = element.getBoundingClientRect();
      const { contentTop } = grid.scroll;
      const x = touch.clientX - place.left - paddingOf(element);
      select(extended(selection, positionUnder(geometry, x, touch.clientY - place.top + contentTop)));
      const by = edgeScroll(touch.clientY - place.top, place.height);
      if (by !== 0) grid.showAt(contentTop + by);
    };
    const end = (event: TouchEvent) => {
      clearTimeout(timer);
      // The click that would follow would toggle once more.
      if (isSweeping) event.preventDefault();
      isSweeping = false;
    };
    const refuseMenu = (event: Event) => {
      if (isSweeping) event.preventDefault();
    };
    element.addEventListener("touchstart", begin, { passive: true });
    element.addEventListener("touchmove", sweep, { passive: false });
    element.addEventListener("touchend", end);
    element.addEventListener("touchcancel", end);
    element.addEventListener("contextmenu", refuseMenu);
    return () => {
      clearTimeout(timer);
      element.removeEventListener("touchstart", begin);
      element.removeEventListener("touchmove", sweep);
      element.removeEventListener("touchend", end);
      element.removeEventListener("touchcancel", end);
      element.removeEventListener("contextmenu", refuseMenu);
    };
  }, [scroller]);
}

function positionUnder({ columns, tile, gap, before, rowHeight, total }: Geometry, x: number, y: number): number {
  const column = Math.min(columns - 1, Math.max(0, Math.floor(x / (tile + gap))));
  const row = Math.max(0, Math.floor((y - before) / rowHeight));
  return Math.min(Math.max(0, total - 1), row * columns + column);
}
