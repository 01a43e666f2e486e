import type { Geometry } from "./geometry.ts";

const MOVES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"] as const;
export type Move = (typeof MOVES)[number];

export function isMove(key: string): key is Move {
  return (MOVES as readonly string[]).includes(key);
}

/** @returns the position after a key; the same position if there is no other in that direction */
export function moved(position: number, move: Move, { columns, rowHeight, height, total }: Geometry): number {
  if (total === 0) return 0;
  const last = total - 1;
  const page = Math.max(1, Math.floor(height / rowHeight)) * columns;
  switch (move) {
    case "ArrowLeft":
      return Math.max(0, position - 1);
    case "ArrowRight":
      return Math.min(last, position + 1);
    case "ArrowUp":
      return position - columns < 0 ? position : position - columns;
    case "ArrowDown":
      return down(position, columns, last);
    case "Home":
      return 0;
    case "End":
      return last;
    case "PageUp":
      return position - page < 0 ? position % columns : position - page;
    case "PageDown":
      return down(position, page, last, columns);
  }
}

/** If the last row has no item straight down, its last item is next. */
function down(position: number, by: number, last: number, columns = by): number {
  if (position + by <= last) return position + by;
  const isInLastRow = Math.floor(position / columns) === Math.floor(last / columns);
  return isInLastRow ? position : last;
}
