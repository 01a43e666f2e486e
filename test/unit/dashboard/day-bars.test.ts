import { describe, expect, it } from "vitest";
import { dayAt, labelledDays, layOutBars, toLines } from "../../../src/dashboard/design/day-bars.ts";

const days = (...values: number[][]) =>
  values.map((day, index) => ({ date: `2026-11-${String(index + 1).padStart(2, "0")}`, values: day }));

describe("Scale", () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 0.25, 0.5, 0.75, 1]],
    [4, [0, 1, 2, 3, 4]],
    [7, [0, 2, 4, 6, 8]],
    [10, [0, 2.5, 5, 7.5, 10]],
    [18_204, [0, 5000, 10_000, 15_000, 20_000]],
    [0.1, [0, 0.025, 0.05, 0.075, 0.1]],
  ])("Scale lines up to %d are at round values", (highest, lines) => {
    expect(toLines(highest)).toEqual(lines);
  });

  it("Scale lines reach every highest value with at most four steps", () => {
    for (let highest = 0.1; highest < 10_000_000; highest *= 1.37) {
      const lines = toLines(highest);
      expect(lines.at(-1)).toBeGreaterThanOrEqual(highest * (1 - 1e-6));
      expect(lines.length).toBeLessThanOrEqual(5);
      expect(lines.at(-2)).toBeLessThan(highest);
    }
  });
});

describe("Bars", () => {
  it("Bars stack their parts from the bottom and draw nothing for 0", () => {
    const { bars, top } = layOutBars(days([2, 2], [0, 1], [0, 0]), 300, 100);
    expect(top).toBe(4);
    expect(bars.map(({ parts }) => parts)).toEqual([
      [
        { series: 0, y: 50, height: 50 },
        { series: 1, y: 0, height: 50 },
      ],
      [{ series: 1, y: 75, height: 25 }],
      [],
    ]);
  });

  it("A bar of a small value is visible", () => {
    const { bars } = layOutBars(days([1_000_000], [0.1]), 200, 100);
    expect(bars[1]?.parts[0]?.height).toBe(2);
  });

  it("Bars lie side by side within the width", () => {
    const { bars } = layOutBars(days(...Array.from({ length: 92 }, () => [1])), 640, 100);
    for (const [index, bar] of bars.entries()) {
      expect(bar.x + bar.width).toBeLessThanOrEqual(640);
      if (index > 0) expect(bar.x).toBeGreaterThan((bars[index - 1]?.x ?? 0) + (bars[index - 1]?.width ?? 0));
    }
  });

  it("An account without a day has no bars", () => {
    expect(layOutBars([], 300, 100)).toMatchObject({ bars: [], top: 1 });
    expect(dayAt(10, 300, 0)).toBeUndefined();
  });
});

it("A point belongs to the day of its column, beyond the edges to the nearest day", () => {
  expect([-5, 0, 99, 100, 299, 300, 900].map((x) => dayAt(x, 300, 3))).toEqual([0, 0, 0, 1, 2, 2, 2]);
});

it("The last day has a label, earlier labels are at even distances", () => {
  expect(labelledDays(30, 5)).toEqual([5, 11, 17, 23, 29]);
  expect(labelledDays(3, 5)).toEqual([0, 1, 2]);
  expect(labelledDays(0, 5)).toEqual([]);
});
