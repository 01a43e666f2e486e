/**
 * Keys for rows that are built: one that stays keeps its own, and one that comes gets that of one that has gone, so that its elements are
 * used again instead of being made. The focused row stays though it is out of sight, and with it what has the focus.
 * @param before rows and their keys
 */
export function assignKeys(before: ReadonlyMap<number, number>, rows: readonly number[]): ReadonlyMap<number, number> {
  const built = new Set(rows);
  const free = [...before].filter(([row]) => !built.has(row)).map(([, key]) => key);
  let next = Math.max(-1, ...before.values()) + 1;
  return new Map(rows.map((row) => [row, before.get(row) ?? free.pop() ?? next++]));
}
