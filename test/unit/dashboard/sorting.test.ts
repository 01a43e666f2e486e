import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { NO_FILTERS } from "../../../src/dashboard/library/view/filters.ts";
import { keepSorting, sortedBy } from "../../../src/dashboard/library/view/sort-choice.ts";
import { NEWEST_FIRST, readSorting, type Sorting, withSorting } from "../../../src/dashboard/library/view/sorting.ts";

let kept: Map<string, string>;

beforeEach(() => {
  kept = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

const inFolder = (folder: string) => ({ ...NO_FILTERS, folder });
const BY_NAME: Sorting = { by: "name", order: "asc" };

it("Each folder keeps its own order, and the trash too", () => {
  keepSorting(inFolder("a"), BY_NAME);
  keepSorting({ ...NO_FILTERS, status: "trash" }, { by: "size", order: "desc" });
  expect(readSorting(inFolder("a"))).toEqual(BY_NAME);
  expect(readSorting(inFolder("b"))).toEqual(NEWEST_FIRST);
  expect(readSorting({ ...inFolder("a"), status: "trash" })).toEqual({ by: "size", order: "desc" });
  keepSorting(inFolder("a"), NEWEST_FIRST);
  expect(readSorting(inFolder("a"))).toEqual(NEWEST_FIRST);
});

it("The orders of the last two hundred folders are kept", () => {
  for (let folder = 0; folder < 250; folder += 1) keepSorting(inFolder(`f${folder}`), BY_NAME);
  expect(readSorting(inFolder("f49"))).toEqual(NEWEST_FIRST);
  expect(readSorting(inFolder("f50"))).toEqual(BY_NAME);
});

it.each(["", "{}", "all", "all=name", "all=age+asc", "all=name+up"])(
  "An invalid stored order is ignored: %s",
  (text) => {
    kept.set("library-sorting", text);
    expect(readSorting(NO_FILTERS)).toEqual(NEWEST_FIRST);
  },
);

it("A browser without storage shows the newest first", () => {
  vi.stubGlobal("localStorage", undefined);
  keepSorting(NO_FILTERS, BY_NAME);
  expect(readSorting(NO_FILTERS)).toEqual(NEWEST_FIRST);
});

it("A column sorts names from A and other values from the largest; chosen again, it reverses the order", () => {
  expect(sortedBy("name", NEWEST_FIRST)).toEqual(BY_NAME);
  expect(sortedBy("name", BY_NAME)).toEqual({ by: "name", order: "desc" });
  expect(sortedBy("size", BY_NAME)).toEqual({ by: "size", order: "desc" });
  expect(sortedBy("createdAt", NEWEST_FIRST)).toEqual({ by: "createdAt", order: "asc" });
});

it("The service's own order adds no parameters", () => {
  expect(withSorting({ folderId: "all" }, NEWEST_FIRST)).toEqual({ folderId: "all" });
  expect(withSorting({ folderId: "all" }, BY_NAME)).toEqual({ folderId: "all", sort: "name", order: "asc" });
});
