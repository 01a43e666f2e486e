import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  meterOf,
  readMeter,
  replaceStores,
  replayIntents,
  replayTwice,
  restoreStores,
} from "../../support/api/account-state.ts";
import { openAccount } from "../../support/api/api.ts";
import { JPEG_BYTES, made } from "../../support/thumbnails/processor.ts";
import { DEAD, deliverOne, type StoredVideo, stored } from "../../support/thumbnails/queue.ts";
import { expectAccounted, storeVideo, thumbnailBytes, VIDEO_BYTES, videoRow } from "../../support/thumbnails/state.ts";
import { afterUpdate, aroundMeter, aroundPut, crash, nothing } from "../../support/thumbnails/steps.ts";

const processor = () => made();

const losingUpdates = () => afterUpdate(() => Promise.reject(new Error("The connection broke")));

/** Makes a thumbnail up to a step, at which the consumer dies: the message is neither acknowledged nor retried. */
async function interrupted(step: string): Promise<StoredVideo> {
  const video = await storeVideo((await openAccount()).id);
  const steps: Record<string, Partial<Env>> = {
    "after the processor answered": aroundMeter("reserveThumbnail", crash),
    "after reserving": aroundMeter("reserveThumbnail", nothing, crash),
    "before the put": aroundPut(crash),
    "after the put": aroundPut(nothing, crash),
    "before settling": aroundMeter("settleThumbnail", crash),
    "after settling, before the acknowledgement": aroundMeter("settleThumbnail", nothing, crash),
  };
  if (step === "after the row is written") await replaceStores(video.accountId, losingUpdates());
  await deliverOne(stored(video), { processor, replaced: steps[step] ?? {} });
  if (step === "after the row is written") await restoreStores(video.accountId);
  return video;
}

/** The step, and whether the thumbnail was in R2 then. */
const STEPS: [string, boolean][] = [
  ["after the processor answered", false],
  ["after reserving", false],
  ["before the put", false],
  ["after the put", true],
  ["before settling", true],
  ["after the row is written", true],
  ["after settling, before the acknowledgement", true],
];

async function expectMade(video: StoredVideo): Promise<void> {
  expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
  expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: JPEG_BYTES, thumbnail_error: null });
  expect(await readMeter(video.accountId)).toMatchObject({ storageBytes: VIDEO_BYTES + JPEG_BYTES, usedTenths: 10 });
  await expectAccounted(video.accountId);
}

describe("Interrupted thumbnails", () => {
  it.each(STEPS)("A thumbnail interrupted %s is repaired by the alarm: storage matches R2", async (step, isStored) => {
    const video = await interrupted(step);
    await replayTwice(video.accountId);
    await expectAccounted(video.accountId);
    if (isStored) return expectMade(video);
    expect(await thumbnailBytes(video)).toBe(0);
    expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: null, thumbnail_error: null });
  });

  it.each(STEPS)("A thumbnail interrupted %s is made by the next delivery, before or after the alarm", async (step) => {
    const video = await interrupted(step);
    expect(await deliverOne(stored(video, 2), { processor })).toBe("acked");
    await expectMade(video);
    await replayTwice(video.accountId);
    await expectMade(video);
    const other = await interrupted(step);
    await replayIntents(other.accountId);
    expect(await deliverOne(stored(other, 2), { processor })).toBe("acked");
    await expectMade(other);
  });

  it.each(STEPS)("A thumbnail interrupted %s may be interrupted there again, many times", async (step) => {
    const video = await interrupted(step);
    for (let attempt = 2; attempt < 5; attempt++) {
      await deliverOne(stored(video, attempt), { processor, replaced: aroundPut(nothing, crash) });
      if (attempt === 3) await replayIntents(video.accountId);
    }
    expect(await deliverOne(stored(video, 5), { processor })).toBe("acked");
    await expectMade(video);
  });

  it.each(STEPS)("A thumbnail interrupted %s is made from the dead-letter queue as well", async (step) => {
    const video = await interrupted(step);
    expect(await deliverOne(stored(video), { processor, queue: DEAD })).toBe("acked");
    await expectMade(video);
    await replayTwice(video.accountId);
    await expectMade(video);
  });

  it("An interrupted thumbnail reserves only its own bytes, and only until the alarm", async () => {
    const video = await interrupted("after reserving");
    for (let attempt = 2; attempt < 5; attempt++) {
      await deliverOne(stored(video, attempt), {
        processor,
        replaced: aroundMeter("reserveThumbnail", nothing, crash),
      });
    }
    expect((await readMeter(video.accountId)).intents).toMatchObject([{ reserved_bytes: JPEG_BYTES }]);
    await replayIntents(video.accountId);
    expect((await readMeter(video.accountId)).intents).toEqual([]);
  });

  it("A thumbnail interrupted by an outage of the account's stores is finished once they are back", async () => {
    const video = await storeVideo((await openAccount()).id);
    await replaceStores(video.accountId, losingUpdates());
    expect(await deliverOne(stored(video), { processor })).toBe("retried");
    await replayIntents(video.accountId);
    expect((await readMeter(video.accountId)).intents).toMatchObject([{ attempts: 1 }]);
    await restoreStores(video.accountId);
    await replayTwice(video.accountId);
    await expectMade(video);
  });

  it("A thumbnail lost from R2 afterwards is made again", async () => {
    const video = await storeVideo((await openAccount()).id);
    await deliverOne(stored(video), { processor });
    await env.FILES.delete(`uploads/${video.accountId}/thumbs/${video.uploadId}-thumb.jpg`);
    expect(await deliverOne(stored(video, 2), { processor })).toBe("retried");
    await expectAccounted(video.accountId);
    expect(await deliverOne(stored(video, 3), { processor })).toBe("acked");
    await expectMade(video);
    expect(await meterOf(video.accountId).settleThumbnail(video.uploadId)).toBe("counted");
  });
});
