import { expect, it } from "vitest";
import { lossInWords, sparkPoints, toChartDays } from "../../../src/dashboard/keys/analytics.ts";
import { scopesInWords } from "../../../src/dashboard/keys/scopes.ts";

const day = (requests: number, errors = 0) => ({ date: "2026-11-01", requests, operations: 0, errors });

it("a key's days are a line within its box", () => {
  expect(sparkPoints([day(0), day(5), day(10)], 60, 20)).toBe("0,20 30,10 60,0");
  expect(sparkPoints([day(0), day(0)], 60, 20)).toBe("");
});

it("a day's bar tells requests that failed from the others", () => {
  expect(toChartDays([day(10, 3)])).toEqual([{ date: "2026-11-01", values: [7, 3] }]);
});

it("what a key may do is said in words", () => {
  expect(scopesInWords([])).toBe("Files");
  expect(scopesInWords(["folders:write", "folders:read"])).toBe("Files, see folders, change folders");
});

it.each([
  [undefined, undefined, "It was never used."],
  [1, "2 minutes ago", "It made 1 request in the last 30 days, the last one 2 minutes ago."],
  [18_204, "yesterday", "It made 18,204 requests in the last 30 days, the last one yesterday."],
  [undefined, "yesterday", "It was last used yesterday."],
])("who revokes a key is told what it does (%s, %s)", (requests, lastUsed, words) => {
  expect(lossInWords(requests, lastUsed, "en-US")).toBe(words);
});
