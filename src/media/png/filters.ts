// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

const NONE = 0;
const SUB = 1;
const UP = 2;
const AVERAGE = 3;
const PAETH = 4;
export const FILTER_TYPES = 5;

/**
 * Restores a row in place (PNG, 9.2).
 * @param previous the row above, restored; zeros for the first
 * @param step bytes from a pixel to the next, at least 1
 * @returns false when there is no such filter
 */
export function unfilterRow(filter: number, row: Uint8Array, previous: Uint8Array, step: number): boolean {
  const size = row.length;
  switch (filter) {
    case NONE:
      return true;
    case SUB:
      for (let i = step; i < size; i++) row[i]! += row[i - step]!;
      return true;
    case UP:
      for (let i = 0; i < size; i++) row[i]! += previous[i]!;
      return true;
    case AVERAGE:
      for (let i = 0; i < size; i++) row[i]! += ((i < step ? 0 : row[i - step]!) + previous[i]!) >> 1;
      return true;
    case PAETH:
      for (let i = 0; i < Math.min(step, size); i++) row[i]! += previous[i]!;
      for (let i = step; i < size; i++) row[i]! += paeth(row[i - step]!, previous[i]!, previous[i - step]!);
      return true;
    default:
      return false;
  }
}

function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
