// biome-ignore-all lint/style/noNonNullAssertion: every index is within a row, and these loops run once for each byte of an image

/** Filter types of PNG, third edition, section 9. */
export const NONE = 0;
const SUB = 1;
const UP = 2;
const AVERAGE = 3;
const PAETH = 4;
export const FILTER_TYPES = 5;

function paeth(left: number, above: number, aboveLeft: number): number {
  const toLeft = Math.abs(above - aboveLeft);
  const toAbove = Math.abs(left - aboveLeft);
  const toAboveLeft = Math.abs(left + above - 2 * aboveLeft);
  if (toLeft <= toAbove && toLeft <= toAboveLeft) return left;
  return toAbove <= toAboveLeft ? above : aboveLeft;
}

/**
 * Turns a filtered row back into its bytes, in place.
 * @param previous the row above, restored; zeros for the first row of a pass
 * @param step bytes from a pixel to the next, at least 1
 * @returns false when there is no such filter
 */
export function unfilterRow(filter: number, row: Uint8Array, previous: Uint8Array, step: number): boolean {
  const length = row.length;
  switch (filter) {
    case NONE:
      return true;
    case SUB:
      for (let i = step; i < length; i++) row[i] = row[i]! + row[i - step]!;
      return true;
    case UP:
      for (let i = 0; i < length; i++) row[i] = row[i]! + previous[i]!;
      return true;
    case AVERAGE:
      for (let i = 0; i < length; i++) {
        const left = i < step ? 0 : row[i - step]!;
        row[i] = row[i]! + ((left + previous[i]!) >> 1);
      }
      return true;
    case PAETH:
      for (let i = 0; i < Math.min(step, length); i++) row[i] = row[i]! + previous[i]!;
      for (let i = step; i < length; i++) {
        row[i] = row[i]! + paeth(row[i - step]!, previous[i]!, previous[i - step]!);
      }
      return true;
    default:
      return false;
  }
}

/** Filters `row` into `target` (of the same length). */
export function filterRow(
  filter: number,
  row: Uint8Array,
  previous: Uint8Array,
  step: number,
  target: Uint8Array,
): void {
  const length = row.length;
  switch (filter) {
    case SUB:
      for (let i = 0; i < Math.min(step, length); i++) target[i] = row[i]!;
      for (let i = step; i < length; i++) target[i] = row[i]! - row[i - step]!;
      return;
    case UP:
      for (let i = 0; i < length; i++) target[i] = row[i]! - previous[i]!;
      return;
    case AVERAGE:
      for (let i = 0; i < Math.min(step, length); i++) target[i] = row[i]! - (previous[i]! >> 1);
      for (let i = step; i < length; i++) target[i] = row[i]! - ((row[i - step]! + previous[i]!) >> 1);
      return;
    case PAETH:
      for (let i = 0; i < Math.min(step, length); i++) target[i] = row[i]! - previous[i]!;
      for (let i = step; i < length; i++) {
        target[i] = row[i]! - paeth(row[i - step]!, previous[i]!, previous[i - step]!);
      }
      return;
    default:
      target.set(row);
  }
}
