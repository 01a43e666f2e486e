import { type RefObject, useEffect, useRef } from "react";
import { edgeScroll } from "../selection/box.ts";
import { extended, isSelected, type Selection, toggled } from "../selection/selection.ts";
import type { Geometry } from "./geometry.ts";
import type { GridWindow } from "./grid-window.ts";
import { paddingOf, positionOf } from "./use-grid-pointer.ts";

interface Pressed {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly grid: GridWindow;
  readonly geometry: Geometry;
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
}

export const PRESS_MS = 400;
/** A finger that moved more than this does not press. */
export const SLACK_PIXELS = 10;
const POINTED = { bubbles: true, cancelable: true };

/**
 * A long press on a file selects it, and a sweep selects others until the finger is lifted. A long press on a selected file opens the menu of
 * all selected files.
 */
export function useLongPress(pressed: Pressed): void {
  const now = useRef(pressed);
  now.current = pressed;
  const { scroller } = pressed;
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame: number | undefined;
    let target: EventTarget | null = null;
    let from = { x: 0, y: 0 };
    let at = from;
    let since = 0;
    let over = 0;
    let isOnSelected = false;

    const press = (position: number) => {
      stopWaiting();
      over = position;
      frame = requestAnimationFrame(sweep);
      navigator.vibrate?.(10);
      isOnSelected = isSelected(now.current.selection, position);
      if (!isOnSelected) now.current.select(toggled(now.current.selection, position));
    };
    /** Runs each frame, because a finger that rests at an edge keeps scrolling. */
    const sweep = () => {
      frame = requestAnimationFrame(sweep);
      const { grid, geometry, selection, select } = now.current;
      const place = element.getBoundingClientRect();
      const { contentTop } = grid.scroll;
      const position = positionUnder(geometry, at.x - place.left - paddingOf(element), at.y - place.top + contentTop);
      if (position !== over) {
        isOnSelected = false;
        select(extended(selection, position));
      }
      over = position;
      const by = edgeScroll(at.y - place.top, place.height);
      if (by !== 0) grid.showAt(contentTop + by);
    };
    const begin = (event: TouchEvent) => {
      end();
      const touch = event.touches[0];
      const position = positionOf(event.target);
      if (event.touches.length !== 1 || touch === undefined || position === undefined) return;
      from = { x: touch.clientX, y: touch.clientY };
      at = from;
      since = event.timeStamp;
      over = position;
      timer = setTimeout(press, PRESS_MS, position);
      // A tile that is scrolled away leaves the page. Its finger's events then reach no ancestor.
      target = event.target;
      target?.addEventListener("touchmove", move as EventListener, { passive: false });
      target?.addEventListener("touchend", lift);
      target?.addEventListener("touchcancel", end);
    };
    const move = (event: TouchEvent) => {
      const touch = event.touches[0];
      if (touch === undefined) return;
      at = { x: touch.clientX, y: touch.clientY };
      refuse(event);
      if (Math.hypot(at.x - from.x, at.y - from.y) > SLACK_PIXELS) stopWaiting();
    };
    const stopWaiting = () => {
      clearTimeout(timer);
      timer = undefined;
    };
    const lift = (event: Event) => {
      // A busy page receives this event before its timer.
      if (timer !== undefined && event.timeStamp - since >= PRESS_MS) press(over);
      // The click after the long press would toggle the file again.
      refuse(event);
      const isMenu = frame !== undefined && isOnSelected;
      const on = target;
      end();
      if (isMenu) on?.dispatchEvent(new MouseEvent("contextmenu", { ...POINTED, clientX: at.x, clientY: at.y }));
    };
    const end = () => {
      stopWaiting();
      if (frame !== undefined) cancelAnimationFrame(frame);
      frame = undefined;
      target?.removeEventListener("touchmove", move as EventListener);
      target?.removeEventListener("touchend", lift);
      target?.removeEventListener("touchcancel", end);
      target = null;
    };
    /** During a sweep, the browser neither scrolls nor opens a menu. */
    const refuse = (event: Event) => {
      if (frame !== undefined) event.preventDefault();
    };
    element.addEventListener("touchstart", begin, { passive: true });
    // Browsers decide before a touch begins whether a listener may prevent scrolling.
    element.addEventListener("touchmove", refuse, { passive: false });
    element.addEventListener("contextmenu", refuse);
    return () => {
      end();
      element.removeEventListener("touchstart", begin);
      element.removeEventListener("touchmove", refuse);
      element.removeEventListener("contextmenu", refuse);
    };
  }, [scroller]);
}

function positionUnder({ columns, tile, gap, before, rowHeight, total }: Geometry, x: number, y: number): number {
  const column = Math.min(columns - 1, Math.max(0, Math.floor(x / (tile + gap))));
  const row = Math.max(0, Math.floor((y - before) / rowHeight));
  return Math.min(Math.max(0, total - 1), row * columns + column);
}
