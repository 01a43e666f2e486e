import { describe, expect, it } from "vitest";
import { announce, NOTHING_SAID, type Said } from "../../../../src/dashboard/uploads/announce.ts";
import { EMPTY } from "../../../../src/dashboard/uploads/empty-snapshot.ts";
import { findStored, type Listed } from "../../../../src/dashboard/uploads/look-up.ts";
import { type Snapshot, toSnapshot } from "../../../../src/dashboard/uploads/snapshot.ts";
import { splitName } from "../../../../src/dashboard/uploads/split-name.ts";
import { TransferRate } from "../../../../src/dashboard/uploads/transfer-rate.ts";
import { noteUnsent, takeUnsent } from "../../../../src/dashboard/uploads/unsent.ts";
import type { UploadItem } from "../../../../src/dashboard/uploads/upload-item.ts";
import {
  optionsOf,
  pauseOf,
  placeOf,
  remainingOf,
  statusOf,
  titleOf,
} from "../../../../src/dashboard/uploads/words.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const NOW = Date.UTC(2026, 10, 22, 12);

const item = (id: number, more: Partial<UploadItem> = {}): UploadItem => ({
  id,
  name: `${id}.png`,
  sizeBytes: 100,
  target: { folderId: null, tags: [] },
  state: "queued",
  sentBytes: 0,
  message: undefined,
  remedy: undefined,
  result: undefined,
  ...more,
});

describe("Upload tray", () => {
  it("The tray lists uploading, failed, waiting and done files in this order, and counts all", () => {
    const all = [
      ...Array.from({ length: 30 }, (_, at) => item(at, { state: "done", sentBytes: 100 })),
      item(100, { state: "sending", sentBytes: 40 }),
      item(101, { state: "failed", remedy: "retry" }),
      item(102),
    ];
    const snapshot = toSnapshot(all, undefined, (bytes) => bytes);
    expect(snapshot.items.slice(0, 4).map(({ id }) => id)).toEqual([100, 101, 102, 29]);
    expect(snapshot).toMatchObject({ hidden: 10, total: 33, done: 30, failed: 1, retryable: 1, left: 2 });
    expect(snapshot).toMatchObject({ sentBytes: 3040, totalBytes: 3200, secondsLeft: 160 });
  });

  it("The tray knows all stored files, in the order of the files", () => {
    const stored = (id: number) =>
      item(id, { state: "done", result: { _id: String(id), url: `https://cdn/${id}` } as never });
    const all = [...Array.from({ length: 30 }, (_, at) => stored(at)), item(100, { state: "failed" })];
    const links = Array.from({ length: 30 }, (_, at) => `https://cdn/${at}`);
    expect(toSnapshot(all, undefined, () => undefined).results.map(({ url }) => url)).toEqual(links);
  });

  it("The tray lists duplicates before queued files, counts them, and lists each stored file once", () => {
    const older = { _id: "1", url: "https://cdn/1", deduplicated: true } as never;
    const all = [
      item(1, { state: "done", result: older }),
      item(2),
      item(3, { state: "done", result: { _id: "3", url: "https://cdn/3" } as never }),
      item(4, { state: "done", result: older }),
    ];
    const snapshot = toSnapshot(all, undefined, () => undefined);
    expect(snapshot.items.map(({ id }) => id)).toEqual([1, 4, 2, 3]);
    expect(snapshot).toMatchObject({ done: 3, duplicates: 2, left: 1 });
    expect(snapshot.results.map(({ _id }) => _id)).toEqual(["1", "3"]);
  });

  it.each<[string, string | undefined, string]>([
    ["a.png", undefined, "In Root"],
    ["a.png", "Clients", "In \u2068Clients\u2069"],
    ["b.png", "Clients", "As \u2068b.png\u2069 in \u2068Clients\u2069"],
  ])("The older file %s of a.png in the folder %s is %j", (originalFilename, folderName, words) => {
    expect(placeOf({ originalFilename }, "a.png", folderName)).toBe(words);
  });

  it.each<[UploadItem["target"], string | undefined, string]>([
    [{ folderId: null, tags: [] }, undefined, ""],
    [{ folderId: "f", tags: ["press", "2026"] }, "Clients", "In \u2068Clients\u2069 · Tagged press, 2026"],
    [
      { folderId: null, tags: [], visibility: "private", expiresAt: "2026-12-27T12:00:00.000Z" },
      undefined,
      "Private · Deleted 27 December 2026",
    ],
  ])("The options %j of an upload into the folder %j read %j", (target, folderName, words) => {
    expect(optionsOf(target, folderName)).toBe(words);
  });

  it.each<[Partial<Snapshot>, string]>([
    [{ left: 6, done: 2, failed: 1, total: 9 }, "Uploading 4 of 9"],
    [{ left: 9, total: 9, pause: { reason: "rate", message: "", until: 0 } }, "9 files waiting"],
    [{ done: 1, total: 1 }, "1 file uploaded"],
    [{ done: 1204, total: 1204 }, "1,204 files uploaded"],
    [{ done: 3, failed: 2, total: 5 }, "3 uploaded, 2 failed"],
    [{ failed: 2, total: 2 }, "2 files failed"],
    [{ done: 1, duplicates: 1, total: 1 }, "1 file was already here"],
    [{ done: 3, duplicates: 3, total: 3 }, "3 files were already here"],
    [{ done: 8, duplicates: 3, total: 8 }, "5 uploaded, 3 already here"],
    [{ done: 8, duplicates: 3, failed: 1, total: 9 }, "5 uploaded, 3 already here, 1 failed"],
    [{ done: 3, duplicates: 3, failed: 2, total: 5 }, "3 already here, 2 failed"],
  ])("The tray at %j reads %j", (more, title) => {
    expect(titleOf({ ...EMPTY, ...more })).toBe(title);
  });

  it.each<[UploadItem, string]>([
    [item(1, { sizeBytes: 2 * MIB }), "2 MB"],
    [item(1, { sizeBytes: 2 * MIB, state: "sending", sentBytes: MIB }), "50 % of 2 MB"],
    [item(1, { state: "processing" }), "Saving"],
    [item(1, { state: "failed", message: "Only images" }), "Only images"],
    [
      item(1, { sizeBytes: 4.1 * MIB, state: "done", result: { compressed: true, fileSize: 1.2 * MIB } as never }),
      "4.1 MB, stored as 1.2 MB",
    ],
    [item(1, { state: "done", result: { compressed: false, fileSize: 3 * KIB } as never }), "3 KB"],
    [item(1, { state: "done", result: { deduplicated: true } as never }), "You already have this file"],
  ])("A file of %o reads %j", (shown, status) => {
    expect(statusOf(shown)).toBe(status);
  });

  it.each([
    ["rate", NOW + 12_000, "Waiting 12 s (60 requests a minute)"],
    ["busy", NOW + 5000, "Waiting 5 s: the service is busy"],
    ["connection", NOW + 900, "Connection lost. Next try in 1 s"],
    ["offline", NOW + 900, "You are offline. Uploads resume when you are back online."],
    ["storage", undefined, "said by the service"],
    ["operations", Date.UTC(2026, 11, 1, 12), "The month's operations are used up. Uploads resume on 1 December 2026."],
    ["session", undefined, "said by the service"],
  ] as const)("An upload waiting for %s gives the reason and the time", (reason, until, text) => {
    expect(pauseOf({ reason, until, message: "said by the service" }, NOW, 60)).toBe(text);
  });

  it.each([
    [1, "1 s left"],
    [119, "119 s left"],
    [150, "3 min left"],
    [10_000, "3 h left"],
  ])("A remaining time of %d seconds reads %j", (seconds, text) => {
    expect(remainingOf(seconds)).toBe(text);
  });
});

it.each([
  ["DSC_0641.JPG", ["DSC_", "0641.JPG"]],
  ["a.png", ["", "a.png"]],
  ["👨‍👩‍👧‍👦 – 👍🏽👍🏽👍🏽👍🏽👍🏽.jpg", ["👨‍👩‍👧‍👦 – 👍🏽", "👍🏽👍🏽👍🏽👍🏽.jpg"]],
  ["صورة العائلة.jpg", ["صورة العائلة.jpg", ""]],
  ["IMG صورة 2024.jpg", ["IMG صورة 2024.jpg", ""]],
  [`${"ש".repeat(60)}.jpg`, [`${"ש".repeat(21)}…${"ש".repeat(6)}.jpg`, ""]],
])("The name %s is split into %j", (name, parts) => {
  expect(splitName(name)).toEqual(parts);
});

describe("Announcements", () => {
  const running = { ...EMPTY, left: 100, total: 100 };
  const say = (said: Said, snapshot: Snapshot, now = NOW) => announce(said, snapshot, now)?.text;
  const said = { ...NOTHING_SAID, left: 100, at: NOW };

  it("A file that is stored before its start is seen is announced once", () => {
    const stored = { ...EMPTY, done: 1, total: 1 };
    const first = announce(NOTHING_SAID, stored, NOW);
    expect(first?.text).toBe("1 file uploaded");
    expect(say(first?.said ?? NOTHING_SAID, stored)).toBeUndefined();
  });

  it.each<[string, Snapshot, number, string | undefined]>([
    ["nothing for nine files", { ...running, done: 9 }, 1000, undefined],
    ["ten files", { ...running, done: 10 }, 1000, "10 of 100 uploaded"],
    ["one file after half a minute", { ...running, done: 1 }, 30_000, "1 of 100 uploaded"],
    ["nothing where nothing has come", running, 60_000, undefined],
    [
      ...([
        "a refusal at once",
        { ...running, failed: 1, items: [item(7, { state: "failed", message: "No" })] },
      ] as const),
      ...([1, "7.png: No"] as const),
    ],
    ["a pause", { ...running, pause: { reason: "rate", message: "Rate", until: 0 } }, 1, "Rate"],
    ["the end", { ...EMPTY, done: 99, failed: 1, total: 100 }, 1, "99 uploaded, 1 failed"],
    ["duplicates", { ...EMPTY, done: 100, duplicates: 2, total: 100 }, 1, "98 uploaded, 2 already here"],
    ["the end by Cancel all", EMPTY, 1, "Uploads cancelled"],
  ])("The tray announces %s", (_, snapshot, afterMs, text) => {
    expect(say(said, snapshot, NOW + afterMs)).toBe(text);
  });

  it("The tray announces the start", () => {
    expect(say(NOTHING_SAID, running)).toBe("Uploading 100 files");
  });
});

describe("Remaining time", () => {
  it("The remaining time is the mean of ten seconds, and not shown before that", () => {
    const rate = new TransferRate();
    rate.note(0, 0);
    rate.note(500_000, 500);
    expect(rate.secondsFor(1_000_000)).toBeUndefined();
    for (let at = 1000; at <= 20_000; at += 1000) rate.note(at * (at > 10_000 ? 1000 : 10), at);
    expect(rate.secondsFor(1_000_000)).toBe(1);
  });

  it("The remaining time starts again after a sleep", () => {
    const rate = new TransferRate();
    for (let at = 0; at <= 5000; at += 1000) rate.note(at, at);
    rate.note(5001, 3_600_000);
    expect(rate.secondsFor(1000)).toBeUndefined();
  });
});

describe("Unsent files", () => {
  function memory() {
    const items = new Map<string, string>();
    return {
      items,
      getItem: (key: string) => items.get(key) ?? null,
      removeItem: (key: string) => void items.delete(key),
      setItem: (key: string, value: string) => void items.set(key, value),
      key: (at: number) => [...items.keys()][at] ?? null,
      get length() {
        return items.size;
      },
    };
  }
  const file = (name: string) => ({ name, sizeBytes: 5 });
  const page = { id: "a", accountId: "me" };

  it("Unsent files are reported once, by the next page", () => {
    const storage = memory();
    noteUnsent(storage, page, [file("a.png"), file("b.png")], NOW, true);
    expect(takeUnsent(storage, "me", NOW + 1000)).toEqual({ files: [file("a.png"), file("b.png")], count: 2 });
    expect(takeUnsent(storage, "me", NOW + 1000)).toBeUndefined();
  });

  it("Unsent files are reported only if their page was killed or closed", () => {
    const storage = memory();
    noteUnsent(storage, page, [file("a.png")], NOW, false);
    expect(takeUnsent(storage, "me", NOW + 60_000)).toBeUndefined();
    expect(takeUnsent(storage, "me", NOW + 200_000)).toMatchObject({ count: 1 });
  });

  it("Unsent files are not reported to another account", () => {
    const storage = memory();
    noteUnsent(storage, page, [file("a.png")], NOW, true);
    expect(takeUnsent(storage, "other", NOW)).toBeUndefined();
    expect(takeUnsent(storage, "me", NOW)).toMatchObject({ count: 1 });
  });

  it("Unsent files are forgotten once sent, and of thousands only some are named", () => {
    const storage = memory();
    const many = Array.from({ length: 3000 }, (_, at) => file(`${at}.png`));
    noteUnsent(storage, page, many, NOW, true);
    const unsent = takeUnsent(storage, "me", NOW);
    expect([unsent?.count, unsent?.files.length]).toEqual([3000, 50]);
    noteUnsent(storage, page, many, NOW, true);
    noteUnsent(storage, page, [], NOW, true);
    expect(storage.items.size).toBe(0);
  });

  it.each(["", "{", "null", "[]", '{"accountId":"me","files":[1,null],"count":1,"seenAt":1}', '{"files":{}}'])(
    "A record of unsent files is ignored if it is %j",
    (written) => {
      const storage = memory();
      storage.items.set("uploads.unsent.x", written);
      expect(() => takeUnsent(storage, "me", NOW)).not.toThrow();
      expect(storage.items.size).toBe(0);
    },
  );
});

describe("Lost answers", () => {
  const media = (more: Partial<Listed> = {}) =>
    ({
      _id: "1",
      prompt: "a.png",
      originalFileSize: 100,
      createdAt: new Date(NOW).toISOString(),
      thumbnailUrl: null,
      ...more,
    }) as Listed;
  const sought = { name: "a.png", sizeBytes: 100, folderId: null, since: NOW - 1000 };

  it.each([
    ["found", media(), new Set<string>(), "1"],
    ["not one of another name", media({ prompt: "b.png" }), new Set<string>(), undefined],
    ["not one of another size", media({ originalFileSize: 99 }), new Set<string>(), undefined],
    ["not an older one", media({ createdAt: new Date(NOW - 600_000).toISOString() }), new Set<string>(), undefined],
    ["found where clocks differ", media({ createdAt: new Date(NOW - 60_000).toISOString() }), new Set<string>(), "1"],
    ["not one that is accounted for", media(), new Set(["1"]), undefined],
  ])("A file whose answer was lost is %s", (_, newest, known, id) => {
    expect(findStored([newest], sought, known)?._id).toBe(id);
  });
});
