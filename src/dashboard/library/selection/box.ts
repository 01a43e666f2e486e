import type { Geometry } from "../grid/geometry.ts";
import type { Interval } from "./intervals.ts";

/** A box drawn on the content, in its pixels; `x` counts from the rows' left. */
export interface Box {
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
}

/**
 * Computes the positions whose squares a box touches, without reading elements.
 * @returns an interval for each row, or one for all if the box covers whole rows
 */
export function positionsInBox(geometry: Geometry, { fromX, fromY, toX, toY }: Box): Interval[] {
  const { columns, tile, gap, rowHeight, rows, total, before } = geometry;
  const [left, right] = [Math.min(fromX, toX), Math.max(fromX, toX)];
  const [top, bottom] = [Math.min(fromY, toY), Math.max(fromY, toY)];
  const firstColumn = Math.max(0, Math.ceil((left - tile) / (tile + gap)));
  const endColumn = Math.min(columns, Math.floor(right / (tile + gap)) + 1);
  const firstRow = Math.max(0, Math.ceil((top - before - (rowHeight - gap)) / rowHeight));
  const endRow = Math.min(rows, Math.floor((bottom - before) / rowHeight) + 1);
  if (firstColumn >= endColumn || firstRow >= endRow || right < 0) return [];
  const cut = (start: number, end: number) => ({ start, end: Math.min(total, end) });
  if (firstColumn === 0 && endColumn === columns) return [cut(firstRow * columns, endRow * columns)];
  const intervals: Interval[] = [];
  for (let row = firstRow; row < endRow; row += 1) {
    const interval = cut(row * columns + firstColumn, row * columns + endColumn);
    if (interval.start < interval.end) intervals.push(interval);
  }
  return intervals;
}

/** The pixels that a held box scrolls in a frame; they increase with the pointer's distance from the edge. */
export function edgeScroll(pointerY: number, height: number): number {
  const EDGE = 32;
  const over = pointerY < EDGE ? pointerY - EDGE : pointerY > height - EDGE ? pointerY - (height - EDGE) : 0;
  return Math.max(-40, Math.min(40, over / 2));
}
