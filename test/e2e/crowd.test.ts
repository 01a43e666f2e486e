import { afterAll, beforeAll, expect, it } from "vitest";
import { median } from "../bench/support/rounds.ts";
import { CompressionHost } from "../support/media/compression.ts";
import { makeCrowdImages, measureCrowd } from "../support/uploads/crowd.ts";

// An isolate has 128 MB for all its requests, and is replaced when it takes more: every upload in it would be lost.

const MAX_HELD_BYTES = 100 * 1000 * 1000;

let host: CompressionHost;

beforeAll(async () => {
  host = await CompressionHost.start({}, { isInspected: true });
});

afterAll(() => host?.[Symbol.asyncDispose]());

it("stays within its memory whatever comes at once, and every upload is stored or told to try again", async () => {
  const { account, answers, heldBytes, bystanderMs, sendPhoto } = await measureCrowd(host, await makeCrowdImages());
  for (const { status, retryAfter, result } of answers) {
    if (status === 201) continue;
    expect([status, typeof retryAfter], JSON.stringify(result)).toEqual([503, "number"]);
  }
  const stored = answers.filter(({ status }) => status === 201).map(({ result }) => result);
  expect(stored.length).toBeGreaterThan(10);
  expect(await account.storageUsed()).toBe(stored.reduce((sum, { fileSize }) => sum + fileSize, 0));
  for (const { url, fileSize } of stored) {
    const served = await fetch(new URL(new URL(url).pathname, host.stack.url), { method: "HEAD" });
    expect([served.status, Number(served.headers.get("Content-Length"))]).toEqual([200, fileSize]);
  }
  for (const measured of heldBytes) {
    // Each waits for its isolate's thread, of which a slow machine has little left.
    expect(measured.length).toBeGreaterThan(1);
    expect(Math.max(...measured)).toBeLessThanOrEqual(MAX_HELD_BYTES);
  }
  // The photos come last, and on a slow machine all of them may be told to try again.
  const photo = stored.find(({ compressed }) => compressed) ?? (await sendPhoto()).result;
  expect(photo.compressed).toBe(true);
  // The longest wait is the machine's too: `npm run bench -- crowd` has the target for it.
  expect(median(bystanderMs)).toBeLessThan(2000);
  expect(Math.max(...bystanderMs)).toBeLessThan(10_000);
}, 240_000);
