import { describe, expect, it } from "vitest";
import {
  cutMiddle,
  formatBytes,
  formatCount,
  formatDate,
  formatDuration,
  formatMonth,
  formatPlural,
  isolate,
  toCharacters,
} from "../../../src/dashboard/design/format.ts";
import { formatRelative } from "../../../src/dashboard/design/format-relative.ts";

describe("Sizes", () => {
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
  ])("%d bytes are written as %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

it("Sizes and counts are written as Intl writes them", () => {
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

it("Dates have the day first", () => {
  const date = new Date(2026, 8, 3, 4, 5);
  expect([formatDate(date), formatDate(date, "short"), formatDate(date.toISOString(), "time")]).toEqual([
    "3 September 2026",
    "3 Sep 2026",
    "3 Sep 2026, 04:05",
  ]);
  expect([formatMonth("2023-12"), formatMonth("2026-01")]).toEqual(["December 2023", "January 2026"]);
});

it("Counts have separators, and 1 has a singular noun", () => {
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
])("A duration of %d ms is written as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it.each([
  ["IMG_4520.jpg", 20, "IMG_4520.jpg"],
  ["Screenshot 2026-11-12-7.png", 16, "Screens…12-7.png"],
  ["🦊🦊🦊🦊🦊🦊🦊🦊🦊🦊", 6, "🦊🦊…🦊🦊🦊"],
  ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦.jpg", 6, "👨‍👩‍👧‍👦👨‍👩‍👧‍👦…jpg"],
  ["🇸🇪🇫🇮🇳🇴🇩🇰🇮🇸", 4, "🇸🇪…🇩🇰🇮🇸"],
  ["Ru\u0308ckseite des Hauses.png", 8, "Ru\u0308c….png"],
  ["صورة العائلة في الصيف.jpg", 12, "صورة …يف.jpg"],
])("The name %s in %d characters is %s", (name, most, cut) => {
  expect(cutMiddle(name, most)).toBe(cut);
  expect(toCharacters(cutMiddle(name, most)).length).toBeLessThanOrEqual(most);
});

it("A name in a sentence is isolated from the direction of the text around it", () => {
  expect(`${isolate("صورة.jpg")} was not changed`).toBe("\u2068صورة.jpg\u2069 was not changed");
});

it.each([
  [0, "just now"],
  [-120_000, "2 minutes ago"],
  [-86_400_000, "yesterday"],
  [12 * 86_400_000, "in 12 days"],
])("A time %d ms from now is written as %s", (ms, text) => {
  expect(formatRelative(1e12 + ms, 1e12)).toBe(text);
});
