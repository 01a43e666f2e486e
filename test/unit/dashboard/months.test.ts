import { describe, expect, it } from "vitest";
import {
  bandAt,
  monthFrom,
  placeOf,
  positionAt,
  toBands,
  yearFrom,
} from "../../../src/dashboard/library/grid/months.ts";

const BANDS = toBands([
  { key: "2026-02", count: 10 },
  { key: "2026-01", count: 0 },
  { key: "2025-12", count: 40 },
  { key: "2025-07", count: 1 },
  { key: "2019-03", count: 49 },
]);

describe("Timeline ruler", () => {
  it("The ruler has a band for each month with files, and names each year once", () => {
    expect(BANDS.map(({ key, start, isFirstOfYear }) => [key, start, isFirstOfYear])).toEqual([
      ["2026-02", 0, true],
      ["2025-12", 10, true],
      ["2025-07", 50, false],
      ["2019-03", 51, true],
    ]);
    expect(BANDS.map(({ share }) => share)).toEqual([10 / 49, 40 / 49, 1 / 49, 1]);
  });

  it.each([
    [0, 0],
    [9, 0],
    [10, 1],
    [50, 2],
    [99, 3],
  ])("The ruler finds the month of position %d", (position, band) => {
    expect(bandAt(BANDS, position)).toBe(band);
  });

  it("The ruler maps every position to a place and back", () => {
    for (const bands of [BANDS, []]) {
      for (let position = 0; position < 100; position += 1) {
        expect(Math.abs(positionAt(bands, placeOf(bands, position, 100) + 1e-9, 100) - position)).toBeLessThanOrEqual(
          1,
        );
      }
      expect(positionAt(bands, 1, 100)).toBe(99);
      expect(positionAt(bands, -3, 100)).toBe(0);
    }
  });

  it("The ruler steps by months and years, and stops at the ends", () => {
    expect(monthFrom(BANDS, 0, 1)).toBe(10);
    expect(monthFrom(BANDS, 12, -1)).toBe(10);
    expect(monthFrom(BANDS, 10, -1)).toBe(0);
    expect(monthFrom(BANDS, 99, 1)).toBe(51);
    expect(yearFrom(BANDS, 0, 1)).toBe(10);
    expect(yearFrom(BANDS, 50, 1)).toBe(51);
    expect(yearFrom(BANDS, 51, -1)).toBe(10);
    expect(yearFrom(BANDS, 60, 1)).toBe(51);
    expect(monthFrom([], 7, 1)).toBe(7);
  });

  it("The ruler of an empty library is empty", () => {
    expect(toBands([])).toEqual([]);
    expect(placeOf([], 0, 0)).toBe(0);
    expect(positionAt([], 0.5, 0)).toBe(0);
  });
});
