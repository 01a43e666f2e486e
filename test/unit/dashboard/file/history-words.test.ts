import { expect, it } from "vitest";
import type { HistoryEntry } from "../../../../src/client/index.ts";
import { authorInWords, changeInWords, noteOn } from "../../../../src/dashboard/file/history-words.ts";

const AT = "2026-11-03T12:00:00.000Z";
const key = (name: string | null) => ({ type: "key" as const, _id: "1", name });
const uploaded: HistoryEntry = { type: "uploaded", at: AT, by: key("CI") };
const moved: HistoryEntry = { type: "moved", at: AT, by: null, folderId: "2", folderName: "Summer" };
const plain = (text: string | undefined) => text?.replace(/[\u2068\u2069]/g, "");

it.each<[HistoryEntry, string]>([
  [uploaded, "Uploaded"],
  [moved, "Moved to Summer"],
  [{ ...moved, folderName: null }, "Moved to a folder that was deleted"],
  [{ ...moved, folderId: null, folderName: null }, "Moved to Root"],
  [{ ...uploaded, type: "renamed" }, "Renamed"],
  [{ ...uploaded, type: "replaced" }, "Replaced"],
  [{ ...uploaded, type: "trashed" }, "Moved to the trash"],
  [{ ...uploaded, type: "restored" }, "Restored"],
])("The change %j has its words", (entry, words) => {
  expect(plain(changeInWords(entry))).toBe(words);
});

it.each<[HistoryEntry["by"], string | undefined]>([
  [null, undefined],
  [{ type: "session", _id: null, name: null }, "by a logged-in person"],
  [key("CI script"), "by the key CI script"],
  [{ ...key("CI script"), revoked: true }, "by the key CI script, which was revoked"],
  [key(null), "by a key that was revoked"],
  [{ type: "upload_token", _id: "1", name: null }, "with an upload token"],
  [{ type: "share", _id: "1", name: "Party" }, "by a guest of the share Party"],
  [{ type: "share", _id: "1", name: null }, "by a guest of a share"],
])("The author %j has its words", (by, words) => {
  expect(plain(authorInWords(by))).toBe(words);
});

it("A short history has a note that tells why it is short, and so has one that was cut", () => {
  const old = { ...uploaded, by: null };
  const many = Array.from({ length: 20 }, () => moved);
  expect([[uploaded], [moved, uploaded], [moved, old], [...many, uploaded]].map(noteOn)).toEqual([
    "No changes since.",
    undefined,
    "Earlier changes are not known.",
    "Older changes are not kept.",
  ]);
});
