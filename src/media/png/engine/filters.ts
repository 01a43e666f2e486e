/**
 * Filters (PNG, 9.2), 16 bytes at a time. All parameters are addresses. The bytes before a row must be zeros, and every row has 16 spare
 * bytes after it.
 */

/** Subtracts the byte a pixel to the left. */
export function filterSub(row: usize, step: usize, target: usize, size: usize): void {
  for (let i: usize = 0; i < size; i += 16) {
    v128.store(target + i, i8x16.sub(v128.load(row + i), v128.load(row + i - step)));
  }
}

/** Subtracts the byte above. */
export function filterUp(row: usize, previous: usize, target: usize, size: usize): void {
  for (let i: usize = 0; i < size; i += 16) {
    v128.store(target + i, i8x16.sub(v128.load(row + i), v128.load(previous + i)));
  }
}

/** Subtracts the mean of the left and the upper byte. */
export function filterAverage(row: usize, previous: usize, step: usize, target: usize, size: usize): void {
  const one = i8x16.splat(1);
  for (let i: usize = 0; i < size; i += 16) {
    const left = v128.load(row + i - step);
    const above = v128.load(previous + i);
    // The instruction rounds up, the filter down.
    const mean = i8x16.sub(i8x16.avgr_u(left, above), v128.and(v128.xor(left, above), one));
    v128.store(target + i, i8x16.sub(v128.load(row + i), mean));
  }
}

/** Subtracts the neighbour that is nearest to left + above - corner (PNG, 9.4). */
export function filterPaeth(row: usize, previous: usize, step: usize, target: usize, size: usize): void {
  for (let i: usize = 0; i < size; i += 16) {
    const left = v128.load(row + i - step);
    const above = v128.load(previous + i);
    const corner = v128.load(previous + i - step);
    const low = paeth(
      i16x8.extend_low_i8x16_u(left),
      i16x8.extend_low_i8x16_u(above),
      i16x8.extend_low_i8x16_u(corner),
    );
    const high = paeth(
      i16x8.extend_high_i8x16_u(left),
      i16x8.extend_high_i8x16_u(above),
      i16x8.extend_high_i8x16_u(corner),
    );
    v128.store(target + i, i8x16.sub(v128.load(row + i), i8x16.narrow_i16x8_u(low, high)));
  }
}

function paeth(left: v128, above: v128, corner: v128): v128 {
  const down = i16x8.sub(above, corner);
  const right = i16x8.sub(left, corner);
  const toLeft = i16x8.abs(down);
  const toAbove = i16x8.abs(right);
  const toCorner = i16x8.abs(i16x8.add(down, right));
  const isLeft = v128.and(i16x8.le_s(toLeft, toAbove), i16x8.le_s(toLeft, toCorner));
  return v128.bitselect(left, v128.bitselect(above, corner, i16x8.le_s(toAbove, toCorner)), isLeft);
}
