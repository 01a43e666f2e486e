/** PNG, third edition, 8.1: the start of each pass of Adam7, and its step. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export interface Pass {
  readonly columns: readonly number[];
  readonly rows: readonly number[];
}

/** The columns and rows of the reduced pictures that a PNG's data is made of, without the empty ones. */
export function listPasses(width: number, height: number, interlaced: boolean): Pass[] {
  const steps = interlaced ? ADAM7 : [[0, 0, 1, 1] as const];
  return steps
    .map(([x, y, dx, dy]) => ({ columns: everyNth(x, dx, width), rows: everyNth(y, dy, height) }))
    .filter(({ columns, rows }) => columns.length > 0 && rows.length > 0);
}

function everyNth(from: number, step: number, end: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((end - from) / step)) }, (_, i) => from + i * step);
}

/** PNG, 11.2.1, table 11.1: samples of a pixel by colour type. */
export const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
