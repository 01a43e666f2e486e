import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AskingSchedule } from "../../../src/dashboard/library/asking-schedule.ts";

// When the library asks for what was uploaded from its page. A Free account has 60 requests a minute, and an asking takes six.

const EVERY_MS = 24_000;

let askedAt: number[];
let answerMs: number;
let left: number;
let schedule: AskingSchedule;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  askedAt = [];
  answerMs = 100;
  left = 0;
  schedule = new AskingSchedule({
    ask: () => {
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

/** Files one after the other, as large photos come. */
async function store(files: number, eachMs: number): Promise<void> {
  left = files;
  for (let file = 0; file < files; file++) {
    await vi.advanceTimersByTimeAsync(eachMs);
    left -= 1;
    schedule.note();
    schedule.look();
  }
}

it("asks soon after a file that comes alone", async () => {
  await store(1, 1000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedAt).toEqual([2500]);
});

it("asks soon after the first and the last of many, and leaves the rate to them in between", async () => {
  await store(30, 2000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedAt[0]).toBe(3500);
  expect(askedAt.at(-1)).toBeLessThanOrEqual(62_000);
  expect(askedAt.length).toBeLessThanOrEqual(4);
});

it("asks in the midst of many that come without a pause", async () => {
  left = 1000;
  for (let file = 0; file < 500; file++) {
    await vi.advanceTimersByTimeAsync(100);
    schedule.note();
  }
  expect(askedAt).toEqual([8100, 32_100]);
});

it("asks for what was stored meanwhile when it has been answered, and not before", async () => {
  answerMs = 10_000;
  await store(1, 0);
  await vi.advanceTimersByTimeAsync(2000);
  await store(1, 1000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedAt).toEqual([1500, 13_000]);
});

it("asks for nothing when the library is left", async () => {
  await store(1, 0);
  schedule.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedAt).toEqual([]);
});
