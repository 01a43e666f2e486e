/**
 * Restores a row in place (PNG, 9.2). The bytes before both rows must be zeros.
 * @param step bytes from a pixel to the next, at least 1
 * @returns false if the filter does not exist
 */
export function unfilter(filter: i32, row: usize, previous: usize, step: usize, size: usize): bool {
  const end = row + size;
  const up = previous - row;
  if (filter === 0) return true;
  if (filter === 1) {
    for (let at = row + step; at < end; at++) store<u8>(at, load<u8>(at) + load<u8>(at - step));
    return true;
  }
  if (filter === 2) {
    // Rows have 16 spare bytes.
    for (let at = row; at < end; at += 16) v128.store(at, i8x16.add(v128.load(at), v128.load(at + up)));
    return true;
  }
  if (filter === 3) {
    for (let at = row; at < end; at++) {
      const mean = (<u32>load<u8>(at - step) + <u32>load<u8>(at + up)) >> 1;
      store<u8>(at, <u8>(<u32>load<u8>(at) + mean));
    }
    return true;
  }
  if (filter !== 4) return false;
  for (let at = row; at < end; at++) {
    const left = <i32>load<u8>(at - step);
    const above = <i32>load<u8>(at + up);
    const corner = <i32>load<u8>(at + up - step);
    const down = above - corner;
    const right = left - corner;
    const toLeft = abs(down);
    const toAbove = abs(right);
    const toCorner = abs(down + right);
    const predicted = select(left, select(above, corner, toAbove <= toCorner), toLeft <= toAbove && toLeft <= toCorner);
    store<u8>(at, <u8>(<i32>load<u8>(at) + predicted));
  }
  return true;
}
