import { describe, expect, it } from "vitest";
import { NOTHING, type Selection, toggled } from "../../../src/dashboard/library/selection/selection.ts";
import { follow, hasMoved, readIds, readPlaces } from "../../../src/dashboard/library/selection/steady-places.ts";

const slots = (text: string) => {
  const files = Array.from(text, (id) => (id === "." ? undefined : { _id: id }));
  return { slot: (position: number) => files[position], total: files.length };
};
const select = (...positions: number[]) => positions.reduce(toggled, NOTHING);
const shown = ({ intervals }: Selection, text: string) =>
  intervals.map(({ start, end }) => text.slice(start, end)).join("");

/** @returns the selected files after the view has changed; undefined if nothing has moved */
function after(before: string, selection: Selection, now: string): string | undefined {
  const ids = readIds(selection, slots(before).slot);
  const { slot, total } = slots(now);
  if (ids === undefined || !hasMoved(selection, ids, slot)) return undefined;
  return shown(follow(ids, undefined, readPlaces(slot, total)), now);
}

describe("The files of a selection", () => {
  it("New files before, between and after the selected ones do not enter the selection", () => {
    expect(after("abcdef", select(1, 3), "xyabcdef")).toBe("bd");
    expect(after("abcdef", select(1, 3), "abcxdef")).toBe("bd");
    expect(after("abcdef", select(1, 3), "abcdefx")).toBeUndefined();
  });

  it("A file that was removed elsewhere leaves the selection, and the file in its place does not enter it", () => {
    expect(after("abcdef", select(1, 3), "acdef")).toBe("d");
    expect(after("abcdef", select(1, 2), "acdef")).toBe("c");
  });

  it("Files that are not loaded any more leave the selection, and places that are loading change nothing", () => {
    expect(after("abcdef", select(1, 3), "xabc...")).toBe("b");
    expect(after("abcdef", select(1, 3), "......")).toBeUndefined();
  });

  it("A selection with files that were never loaded has no known files", () => {
    expect(readIds(select(0, 4), slots("abc...").slot)).toBeUndefined();
  });

  it("The next range begins at the same file", () => {
    expect(follow(["b"], "b", readPlaces(slots("xyabc").slot, 5))).toMatchObject({ anchor: 3 });
  });

  it("A page that is not loaded is skipped", () => {
    const slot = (position: number) => (position >= 500 && position < 600 ? { _id: `${position}` } : undefined);
    const places = readPlaces(slot, 1_000_000);
    expect([places.size, places.get("500"), places.get("599")]).toEqual([100, 500, 599]);
  });
});
