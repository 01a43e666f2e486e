/** The point of a picture that crops keep, as parts of its width and height from 0 to 1 (EDIT-4). */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

/** `fp-x` and `fp-y` in a URL have at most four decimals. */
const STEPS = 10_000;

/** Rounds a coordinate to the precision of a URL. */
export function toFocalCoordinate(value: number): number {
  return Math.round(value * STEPS) / STEPS;
}
