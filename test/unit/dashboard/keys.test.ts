import { expect, it } from "vitest";
import { folderPaths } from "../../../src/dashboard/api/folder-path.ts";
import { toDay, toExpiresAt } from "../../../src/dashboard/design/expiry.ts";
import { lossInWords, sparkPoints, toChartDays } from "../../../src/dashboard/developers/keys/analytics.ts";
import { canUpload, PRESETS, scopesInWords, scopesOf } from "../../../src/dashboard/developers/keys/scopes.ts";

const day = (requests: number, errors = 0) => ({ date: "2026-11-01", requests, operations: 0, errors });

it("A key's days are a line within its box", () => {
  expect(sparkPoints([day(0), day(5), day(10)], 60, 20)).toBe("0,20 30,10 60,0");
  expect(sparkPoints([day(0), day(0)], 60, 20)).toBe("");
});

it("A day's bar separates failed requests from the others", () => {
  expect(toChartDays([day(10, 3)])).toEqual([{ date: "2026-11-01", values: [7, 3] }]);
});

it("A key's permissions are described in words", () => {
  expect(scopesInWords([])).toBe("Files");
  expect(scopesInWords(["folders:write", "folders:read"])).toBe("Files, view folders, manage folders");
  expect(scopesInWords(["upload"])).toBe("Upload files");
  expect(scopesInWords(["folders:read", "images:read"])).toBe("View files, view folders");
});

it("A preset names a key's scopes", () => {
  expect(scopesOf("upload", ["folders:read"])).toEqual(["upload"]);
  expect(scopesOf("read", [])).toEqual(["images:read", "folders:read"]);
  expect(scopesOf("everything", ["folders:write"])).toEqual(["folders:write"]);
});

it("The first preset, which a new key has by default, can only upload", () => {
  expect(PRESETS[0]).toMatchObject({ value: "upload", scopes: ["upload"] });
  expect(PRESETS.map(({ scopes }) => canUpload(scopes))).toEqual([true, false, true]);
});

it("A new key's end is a number of days away, or the end of a day", () => {
  const now = Date.parse("2026-11-24T10:00:00Z");
  expect(toExpiresAt("never", "", now)).toBeNull();
  expect(toExpiresAt("30", "", now)).toBe("2026-12-24T10:00:00.000Z");
  expect(toExpiresAt("365", "", now)).toBe("2027-11-24T10:00:00.000Z");
  const end = new Date(toExpiresAt("date", "2027-01-31", now) ?? "");
  expect([end.getDate(), end.getHours(), end.getMinutes()]).toEqual([31, 23, 59]);
  expect(toDay(end.getTime())).toBe("2027-01-31");
  expect(toDay(end.getTime() + 1)).toBe("2027-02-01");
});

it("A folder's path begins with the outermost folder, and a cycle ends it", () => {
  const folder = (_id: string, parentId: string | null) => ({ _id, name: _id.toUpperCase(), parentId });
  const pathOf = folderPaths([folder("a", null), folder("b", "a"), folder("x", "y"), folder("y", "x")]);
  expect(pathOf("b")).toEqual(["A", "B"]);
  expect(pathOf(null)).toEqual([]);
  expect(pathOf("gone")).toEqual([]);
  expect(pathOf("x")).toHaveLength(20);
});

it.each([
  [undefined, undefined, "It was never used."],
  [1, "2 minutes ago", "It made 1 request in the last 30 days, the last one 2 minutes ago."],
  [18_204, "yesterday", "It made 18,204 requests in the last 30 days, the last one yesterday."],
  [undefined, "yesterday", "It was last used yesterday."],
])("The revoke dialog describes a key's use (%s, %s)", (requests, lastUsed, words) => {
  expect(lossInWords(requests, lastUsed, "en-US")).toBe(words);
});
