import { expect, it } from "vitest";
import { assignKeys } from "../../../src/dashboard/library/grid/assign-keys.ts";

const range = (first: number, end: number) => Array.from({ length: end - first }, (_, at) => first + at);

it("A new row gets the key of a removed row, and all others keep theirs", () => {
  const before = assignKeys(new Map(), range(0, 6), false);
  const after = assignKeys(before, range(1, 7), false);
  for (const row of range(1, 6)) expect(after.get(row)).toBe(before.get(row));
  expect(after.get(6)).toBe(before.get(0));
});

it("Two rows never have the same key, after any jump", () => {
  let keys = assignKeys(new Map(), range(0, 6), false);
  for (const [first, end, kept] of [
    [3, 12, 0],
    [500, 509, 0],
    [496, 505, 7],
    [0, 4, 7],
    [90, 90, 90],
    [40, 60, 41],
  ] as const) {
    const rows = [...new Set([kept, ...range(first, end)])];
    const wasThere = keys.get(kept);
    keys = assignKeys(keys, rows, first % 2 === 0);
    expect(new Set(keys.values()).size).toBe(rows.length);
    if (wasThere !== undefined) expect(keys.get(kept)).toBe(wasThere);
  }
});

it("No element moves in the document during a scroll, and at rest the elements are in the order of the rows", () => {
  let keys = assignKeys(new Map(), range(20, 26), false);
  const elements = [...keys.values()];
  for (const first of [21, 22, 19, 300]) {
    keys = assignKeys(keys, range(first, first + 6), true);
    expect([...keys.values()]).toEqual(elements);
  }
  expect([...assignKeys(keys, range(300, 306), false).keys()]).toEqual(range(300, 306));
});
