import { afterAll, beforeAll, expect, it } from "vitest";
import { median } from "../bench/support/rounds.ts";
import { CompressionHost } from "../support/media/compression.ts";
import { MAX_HELD_BYTES, makeCrowdImages } from "../support/uploads/crowd.ts";
import { measureSlowCrowd, SLOW_CROWDS } from "../support/uploads/slow-crowd.ts";

let host: CompressionHost;

beforeAll(async () => {
  host = await CompressionHost.start({}, { isInspected: true });
});

afterAll(() => host?.[Symbol.asyncDispose]());

it.each(SLOW_CROWDS.filter(({ accounts }) => accounts < 3))(
  "The isolate stays within its memory and serves others while 200 clients send a byte a second: $name",
  async ({ kind, accounts }) => {
    const { photo } = await makeCrowdImages();
    const { usedBytes, heldBytes, bystanderMs, answers } = await measureSlowCrowd(host, { kind, accounts, photo });
    for (const measured of [usedBytes, heldBytes]) {
      expect(measured.length).toBeGreaterThan(1);
      expect(Math.max(...measured), measured.join(" ")).toBeLessThanOrEqual(MAX_HELD_BYTES);
    }
    for (const answer of answers) expect(answer).toEqual({ status: 503, retryAfter: expect.any(Number) });
    expect(median(bystanderMs)).toBeLessThan(2000);
    // The limit is generous: an earlier version took twenty seconds. `npm run bench -- slow-crowd` has the target.
    expect(Math.max(...bystanderMs)).toBeLessThan(10_000);
  },
  120_000,
);
