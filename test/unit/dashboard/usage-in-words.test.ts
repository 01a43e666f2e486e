import { describe, expect, it } from "vitest";
import { firstDay, percentInWords, resetInWords } from "../../../src/dashboard/usage/in-words.ts";
import { LAST_LOG_PAGE, parseLogFilters, writeLogFilters } from "../../../src/dashboard/usage/log-filters.ts";

const NOW = Date.parse("2026-11-19T22:00:00Z");

it.each([
  ["2026-12-01T00:00:00.000Z", "in 12 days, on December 1"],
  ["2026-11-20T00:00:00.000Z", "tomorrow, on November 20"],
  ["2026-11-19T23:00:00.000Z", "today, on November 19"],
])("A month that ends %s starts again %s", (resetAt, words) => {
  expect(resetInWords(resetAt, NOW, "en-US")).toBe(words);
});

it.each([
  [0, 100, "0%"],
  [0.4, 100, "< 1%"],
  [65.7, 100, "65%"],
  [29, 100, "29%"],
  [4_999_999, 5_000_000, "99%"],
  [99.9, 100, "99%"],
  [100, 100, "100%"],
  [130, 100, "130%"],
  [5, 0, "0%"],
])("%d of %d is %s", (part, whole, words) => {
  expect(percentInWords(part, whole, "en-US")).toBe(words);
});

it.each([
  ["month", "2026-12-01T00:00:00Z", "2026-11-01"],
  ["month", "2026-12-15T00:00:00Z", "2026-11-15"],
  ["month", "2027-01-10T00:00:00Z", "2026-12-10"],
  ["month", "2027-03-31T00:00:00Z", "2027-02-28"],
  ["all", "2026-12-01T00:00:00Z", "2026-08-21"],
] as const)("The days of a %s that ends %s begin %s", (span, resetAt, first) => {
  expect(firstDay(span, resetAt, NOW)).toBe(first);
});

describe("Log filters", () => {
  it("Log filters are the same after reading and writing the URL", () => {
    const search = "?type=upload&key=01abc&from=2026-11-01&to=2026-11-05&page=3";
    expect(writeLogFilters(parseLogFilters(search))).toBe(search);
    expect(writeLogFilters(parseLogFilters(""))).toBe("");
  });

  it.each([
    "?type=none",
    "?from=2026-13-40",
    "?page=0",
    "?page=1.5",
    `?page=${LAST_LOG_PAGE + 1}`,
    "?page=x",
    "?key=",
    "?other=1",
  ])("Malformed log filters count as absent (%s)", (search) => {
    expect(writeLogFilters(parseLogFilters(search))).toBe("");
  });

  it("Log filters never request days in the wrong order", () => {
    expect(parseLogFilters("?from=2026-11-05&to=2026-11-01")).toMatchObject({ from: "2026-11-05", to: undefined });
  });
});
