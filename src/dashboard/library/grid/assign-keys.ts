/**
 * React keys for the built rows. A row that stays keeps its key. A new row takes the key of a removed row, so that its elements are reused.
 * The focused row stays built when it is out of sight, so that it keeps the focus.
 * @param before the last result
 * @param isMoving keeps the order of the elements during a scroll, because an element that moves in the document is styled and laid out again
 * @returns keys by row, in the order of the elements in the document
 */
export function assignKeys(
  before: ReadonlyMap<number, number>,
  rows: readonly number[],
  isMoving: boolean,
): ReadonlyMap<number, number> {
  const built = new Set(rows);
  const free = [...before].filter(([row]) => !built.has(row)).map(([, key]) => key);
  const order = [...before.values()];
  let next = Math.max(-1, ...order) + 1;
  const keys = rows.map((row) => [row, before.get(row) ?? free.pop() ?? next++] as const);
  if (isMoving) keys.sort(([, one], [, other]) => order.indexOf(one) - order.indexOf(other));
  return new Map(keys);
}
