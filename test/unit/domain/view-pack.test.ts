import { describe, expect, it } from "vitest";
import { newViewId, packViews, unpackViews, type View } from "../../../src/domain/view-pack.ts";

const NOW = 1_795_345_000_000;

function randomViews(count: number): View[] {
  return Array.from({ length: count }, () => ({
    id: newViewId(),
    at: NOW + Math.floor(Math.random() * 10 ** Math.floor(Math.random() * 8)),
    resourceId: `upload-é-${Math.floor(Math.random() * 300)}`,
  }));
}

const byTime = (views: readonly View[]) => views.toSorted((a, b) => a.at - b.at);

describe("View pack", () => {
  it.each([0, 1, 2, 100, 5000])("A view pack has all %i views, in the order of time", (count) => {
    const views = randomViews(count);
    expect(unpackViews(packViews(views))).toEqual(byTime(views));
  });

  it("A view pack may be followed by other packs", () => {
    const groups = [randomViews(3), [], randomViews(200)];
    const bytes = groups.flatMap((views) => Array.from(packViews(views)));
    expect(unpackViews(Uint8Array.from(bytes))).toEqual(groups.flatMap(byTime));
  });

  it("A view pack is independent of the order of views of different times", () => {
    const views = Array.from({ length: 50 }, (_, index) => ({ ...(randomViews(1)[0] as View), at: NOW + index }));
    expect(unpackViews(packViews(views.toReversed()))).toEqual(unpackViews(packViews(views)));
  });

  it("A view pack takes 11 bytes a view for views of one upload in a second, and 45 for a single view", () => {
    const views = Array.from({ length: 1000 }, (_, at) => ({
      id: newViewId(),
      at: NOW + at,
      resourceId: "u".repeat(26),
    }));
    expect(packViews(views).length / 1000).toBeLessThan(11);
    expect(packViews(views.slice(0, 1)).length).toBe(45);
  });

  it("A view pack that is truncated or of another format is refused", () => {
    const whole = packViews(randomViews(20));
    for (let end = 1; end < whole.length; end++) expect(() => unpackViews(whole.slice(0, end))).toThrow(RangeError);
    expect(() => unpackViews(Uint8Array.of(2, ...whole.slice(1)))).toThrow(RangeError);
    expect(() => unpackViews(new Uint8Array(20).fill(255))).toThrow(RangeError);
    // A view of a resource index that does not exist.
    expect(() => unpackViews(Uint8Array.of(1, 0, 1, 5, 0, 1, 2, 3, 4, 5, 6, 7, 8))).toThrow(RangeError);
  });

  it("A view pack rejects ids of another format", () => {
    for (const id of ["", "x", "0123456789abcdeg", crypto.randomUUID()]) {
      expect(() => packViews([{ id, at: NOW, resourceId: "x" }])).toThrow(RangeError);
    }
  });
});
