/**
 * React keys for the built rows. A row that stays keeps its key. A new row takes the key of a removed row, so that its elements are reused.
 * The focused row stays built when it is out of sight, so that it keeps the focus.
 * @param before keys by row
 */
export function assignKeys(before: ReadonlyMap<number, number>, rows: readonly number[]): ReadonlyMap<number, number> {
  const built = new Set(rows);
  const free = [...before].filter(([row]) => !built.has(row)).map(([, key]) => key);
  let next = Math.max(-1, ...before.values()) + 1;
  return new Map(rows.map((row) => [row, before.get(row) ?? free.pop() ?? next++]));
}
