import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { type Box, edgeScroll, positionsInBox } from "../selection/box.ts";
import { boxed, extended, NOTHING, type Selection, toggled } from "../selection/selection.ts";
import type { Geometry } from "./geometry.ts";
import type { GridWindow } from "./grid-window.ts";

interface Pointed {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly grid: GridWindow;
  readonly geometry: Geometry;
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
  readonly focus: (position: number) => void;
  readonly open: (position: number) => void;
  readonly copy: (position: number) => void;
}

interface Drawing {
  readonly begun: Selection;
  readonly fromX: number;
  readonly fromY: number;
  clientX: number;
  clientY: number;
  isDrawn: boolean;
}

/** A pointer that moved less than this has clicked. */
const CLICK_PIXELS = 4;

/** Handles mouse and pen: click, Ctrl-click, Shift-click, and a box drawn on empty ground. */
export function useGridPointer(pointed: Pointed) {
  const [box, setBox] = useState<Box>();
  const now = useRef(pointed);
  now.current = pointed;
  const drawing = useRef<Drawing>(undefined);

  /** Draws the box from its start to the pointer, including content that has been scrolled in between. */
  const draw = () => {
    const held = drawing.current;
    const { scroller, grid, geometry, select } = now.current;
    const place = scroller.current?.getBoundingClientRect();
    if (held === undefined || place === undefined) return;
    const padding = paddingOf(scroller.current);
    const toX = held.clientX - place.left - padding;
    const toY = held.clientY - place.top + grid.scroll.contentTop;
    if (!held.isDrawn && Math.hypot(toX - held.fromX, toY - held.fromY) < CLICK_PIXELS) return;
    held.isDrawn = true;
    const drawn = { fromX: held.fromX, fromY: held.fromY, toX, toY };
    setBox(drawn);
    select(boxed(held.begun, positionsInBox(geometry, drawn)));
    const by = edgeScroll(held.clientY - place.top, place.height);
    if (by !== 0) grid.showAt(grid.scroll.contentTop + by);
  };
  const isDrawing = box !== undefined;
  useEffect(() => {
    if (!isDrawing) return;
    let frame = requestAnimationFrame(function again() {
      draw();
      frame = requestAnimationFrame(again);
    });
    return () => cancelAnimationFrame(frame);
  });

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const { scroller, grid, selection } = now.current;
    const place = scroller.current?.getBoundingClientRect();
    if (event.pointerType === "touch" || event.button !== 0 || place === undefined) return;
    if (!isGround(event.target)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drawing.current = {
      begun: event.shiftKey ? { ...selection, base: selection.intervals } : NOTHING,
      fromX: event.clientX - place.left - paddingOf(scroller.current),
      fromY: event.clientY - place.top + grid.scroll.contentTop,
      clientX: event.clientX,
      clientY: event.clientY,
      isDrawn: false,
    };
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (drawing.current === undefined) return;
    drawing.current.clientX = event.clientX;
    drawing.current.clientY = event.clientY;
    if (!isDrawing) draw();
  };
  const onPointerUp = () => {
    const held = drawing.current;
    drawing.current = undefined;
    setBox(undefined);
    // A click on empty ground clears the selection.
    if (held !== undefined && !held.isDrawn) now.current.select(held.begun);
  };

  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const position = positionOf(event.target);
    if (position === undefined) return;
    const { selection, select, focus, open, copy } = now.current;
    event.preventDefault();
    focus(position);
    const act = (event.target as Element).closest<HTMLElement>("[data-act]")?.dataset.act;
    if (act === "copy") return copy(position);
    if (event.shiftKey) return select(extended(selection, position));
    if (act === "toggle" || event.ctrlKey || event.metaKey || selection.intervals.length > 0) {
      return select(toggled(selection, position));
    }
    open(position);
  };
  return { box, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onClick } };
}

/** The position of the tile or row that contains an element. */
export function positionOf(target: EventTarget | null): number | undefined {
  if (!(target instanceof Element)) return undefined;
  const cell = target.closest<HTMLElement>("[data-position], [data-row]");
  return cell === null ? undefined : Number(cell.dataset.position ?? cell.dataset.row);
}

/** Whether an element is empty ground between or beside the tiles. */
function isGround(target: EventTarget): boolean {
  return target instanceof Element && positionOf(target) === undefined && target.closest("[data-ground]") !== null;
}

export function paddingOf(element: HTMLElement | null): number {
  return element === null ? 0 : Number.parseFloat(getComputedStyle(element).paddingLeft);
}
