import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RefreshSchedule } from "../../../src/dashboard/library/changes/refresh-schedule.ts";

// When the library requests the files uploaded from its page. A Free account has 60 requests a minute; one refresh takes six.

const EVERY_MS = 24_000;

let askedAt: number[];
let answerMs: number;
let left: number;
let schedule: RefreshSchedule;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  askedAt = [];
  answerMs = 100;
  left = 0;
  schedule = new RefreshSchedule({
    refresh: () => {
      askedAt.push(Date.now());
      return new Promise((resolve) => setTimeout(resolve, answerMs));
    },
    areAllSent: () => left === 0,
    everyMs: () => EVERY_MS,
  });
});
afterEach(() => {
  schedule.end();
  vi.useRealTimers();
});

/** Files that are stored one after the other, like large photos. */
async function store(files: number, eachMs: number): Promise<void> {
  left = files;
  for (let file = 0; file < files; file++) {
    await vi.advanceTimersByTimeAsync(eachMs);
    left -= 1;
    schedule.note();
    schedule.look();
  }
}

it("The library refreshes soon after a single file", async () => {
  await store(1, 1000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedAt).toEqual([2500]);
});

it("The library refreshes soon after the first and last of many files, and saves the rate between", async () => {
  await store(30, 2000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedAt[0]).toBe(3500);
  expect(askedAt.at(-1)).toBeLessThanOrEqual(62_000);
  expect(askedAt.length).toBeLessThanOrEqual(4);
});

it("The library refreshes during a long upload without pauses", async () => {
  left = 1000;
  for (let file = 0; file < 500; file++) {
    await vi.advanceTimersByTimeAsync(100);
    schedule.note();
  }
  expect(askedAt).toEqual([8100, 32_100]);
});

it("The library requests files that were stored during a refresh after that refresh was answered", async () => {
  answerMs = 10_000;
  await store(1, 0);
  await vi.advanceTimersByTimeAsync(2000);
  await store(1, 1000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedAt).toEqual([1500, 13_000]);
});

it("The library stops refreshing when the page is left", async () => {
  await store(1, 0);
  schedule.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedAt).toEqual([]);
});
