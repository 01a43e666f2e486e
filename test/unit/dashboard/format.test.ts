import { describe, expect, it } from "vitest";
import {
  cutMiddle,
  formatBytes,
  formatCount,
  formatDate,
  formatDuration,
  formatMonth,
  formatPlural,
  formatRelative,
} from "../../../src/dashboard/design/format.ts";

describe("sizes", () => {
  it.each([
    [0, "0 B"],
    [1023, "1,023 B"],
    [1024, "1 KB"],
    [1536, "1.5 KB"],
    [1024 ** 2 - 1, "1 MB"],
    [3.1 * 1024 ** 2, "3.1 MB"],
    [131.4 * 1024 ** 3, "131 GB"],
    [200 * 1024 ** 3, "200 GB"],
    [1.25 * 1024 ** 4, "1.3 TB"],
  ])("%d bytes are %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

it("sizes and counts are written as Intl writes them", () => {
  const numbers = Array.from({ length: 2000 }, (_, at) => Math.floor(1.0183 ** at)).filter(Number.isSafeInteger);
  expect(numbers.map(formatCount)).toEqual(numbers.map((number) => number.toLocaleString("en")));
  const tenths = Array.from({ length: 100 * 64 }, (_, at) => at / 64);
  const [written, wanted] = [[], []] as string[][];
  for (const value of tenths) {
    written?.push(formatBytes(value * 1024 ** 2 + 1024 ** 2));
    wanted?.push(`${(value + 1).toLocaleString("en", { maximumFractionDigits: value + 1 >= 100 ? 0 : 1 })} MB`);
  }
  expect(written).toEqual(wanted);
});

it("dates have the day first", () => {
  const date = new Date(2026, 8, 3, 4, 5);
  expect([formatDate(date), formatDate(date, "short"), formatDate(date.toISOString(), "time")]).toEqual([
    "3 September 2026",
    "3 Sep 2026",
    "3 Sep 2026, 04:05",
  ]);
  expect([formatMonth("2023-12"), formatMonth("2026-01")]).toEqual(["December 2023", "January 2026"]);
});

it("counts have separators, and one is singular", () => {
  expect([formatCount(18_204), formatPlural(1, "file"), formatPlural(1204, "file")]).toEqual([
    "18,204",
    "1 file",
    "1,204 files",
  ]);
});

it.each([
  [0, "0:00"],
  [42_300, "0:42"],
  [73_400, "1:13"],
  [3_725_000, "1:02:05"],
])("%d ms last %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it.each([
  ["IMG_4520.jpg", 20, "IMG_4520.jpg"],
  ["Screenshot 2026-11-12-7.png", 16, "Screens…12-7.png"],
  ["🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊", 6, "🦊🦊…🦊🦊🦊"],
])("%s in %d characters is %s", (name, most, cut) => {
  expect(cutMiddle(name, most)).toBe(cut);
  expect(Array.from(cutMiddle(name, most)).length).toBeLessThanOrEqual(most);
});

it.each([
  [0, "just now"],
  [-120_000, "2 minutes ago"],
  [-86_400_000, "yesterday"],
  [12 * 86_400_000, "in 12 days"],
])("%d ms from now are %s", (ms, text) => {
  expect(formatRelative(1e12 + ms, 1e12)).toBe(text);
});
