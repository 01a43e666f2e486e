import { describe, expect, it } from "vitest";
import { mayPrefetch, repeatAfterMs, waitBeforeMs } from "../../../src/dashboard/api/pacing.ts";
import { toUsage } from "../../../src/dashboard/api/parse-usage.ts";

const now = 1_000_000;
const rate = (remaining: number) => ({ limit: 60, remaining, resetAt: now + 12_000 });
const read = { isRead: true, isAskedFor: false, now };

describe("Low request rate", () => {
  it("Background reads wait for the next minute if fewer than four requests are left", () => {
    expect([4, 3].map((left) => waitBeforeMs(rate(left), read))).toEqual([0, 12_000]);
  });

  it("Reads that the user asked for are sent until no request is left", () => {
    expect([1, 0].map((left) => waitBeforeMs(rate(left), { ...read, isAskedFor: true }))).toEqual([0, 12_000]);
  });

  it("Changes do not wait for the request rate", () => {
    expect(waitBeforeMs(rate(0), { ...read, isRead: false })).toBe(0);
  });

  it("Prefetches stop if fewer than eight requests are left", () => {
    expect([8, 7].map((left) => mayPrefetch(rate(left), now))).toEqual([true, false]);
  });

  it("The request rate is full again in the next minute", () => {
    expect([waitBeforeMs(rate(0), { ...read, now: now + 12_000 }), mayPrefetch(rate(0), now + 12_000)]).toEqual([
      0,
      true,
    ]);
  });
});

it("Polling takes a quarter of the request rate", () => {
  const perMinute = (limit: number) => 60_000 / repeatAfterMs({ ...rate(30), limit }, 6);
  expect([60, 600].map((limit) => perMinute(limit) * 6)).toEqual([15, 150]);
});

it("No request waits before the first answer", () => {
  expect([waitBeforeMs(undefined, read), mayPrefetch(undefined, now), repeatAfterMs(undefined, 6)]).toEqual([
    0,
    true,
    0,
  ]);
});

describe("Usage headers", () => {
  const headers = {
    "X-RateLimit-Limit": "60",
    "X-RateLimit-Remaining": "59",
    "X-RateLimit-Reset": "1700000000",
    "X-Operations-Used": "1.1",
    "X-Operations-Limit": "10000",
    "X-Storage-Used": "5",
    "X-Storage-Limit": "1073741824",
  };

  it("Usage headers contain the rate, the operations and the storage", () => {
    expect(toUsage(new Headers(headers))).toEqual({
      rate: { limit: 60, remaining: 59, resetAt: 1_700_000_000_000 },
      operations: { used: 1.1, limit: 10_000 },
      storage: { used: 5, limit: 1_073_741_824 },
    });
  });

  it("Usage headers that are missing or of no account give no figures", () => {
    const { "X-Storage-Used": _, ...less } = headers;
    expect([toUsage(new Headers(less)), toUsage(new Headers({ ...headers, "X-Storage-Limit": "0" }))]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
