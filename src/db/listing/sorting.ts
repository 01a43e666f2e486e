/** The orders of a listing (SORT-1). */
export const SORTS = ["createdAt", "name", "size", "takenAt"] as const;
export type Sort = (typeof SORTS)[number];
export const ORDERS = ["desc", "asc"] as const;
export type Order = (typeof ORDERS)[number];

export interface Sorting {
  readonly by: Sort;
  readonly order: Order;
}

/** The value by which an upload is sorted, and its number as text. Numbers decide between equal values. */
export type SortPosition = readonly [key: string | number | null, number: string];

/** The order without parameters, for which every path of a plan is an index. */
export function isUsual({ by, order }: Sorting): boolean {
  return by === "createdAt" && order === "desc";
}

/** Compares two positions as SQL does. Unknown times are last in both orders. */
export function comparePositions(
  { order }: Sorting,
  [one, oneNumber]: SortPosition,
  [other, otherNumber]: SortPosition,
): number {
  if ((one === null) !== (other === null)) return one === null ? 1 : -1;
  const byKey = compareKeys(one, other) || compareKeys(BigInt(oneNumber), BigInt(otherNumber));
  return order === "asc" ? byKey : -byKey;
}

type Key = string | number | bigint | null;

function compareKeys(one: Key, other: Key): number {
  if (typeof one === "string" && typeof other === "string") return Buffer.compare(folded(one), folded(other));
  if (one === null || other === null || one === other) return 0;
  return one < other ? -1 : 1;
}

/** SQLite's NOCASE compares the bytes in UTF-8 after it has folded the 26 letters of ASCII. */
function folded(text: string): Buffer {
  return Buffer.from(text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()));
}
