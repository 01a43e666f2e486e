import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { readMeter, replaceStores, replayTwice, restoreStores } from "../../support/api/account-state.ts";
import { openAccount } from "../../support/api/api.ts";
import { impossible, JPEG_BYTES, made, type Processor } from "../../support/thumbnails/processor.ts";
import { deliver, deliverOne, type StoredVideo, stored, type World } from "../../support/thumbnails/queue.ts";
import { expectAccounted, storeVideo, thumbnailBytes, VIDEO_BYTES, videoRow } from "../../support/thumbnails/state.ts";
import { aroundMeter, aroundPut, bucketWithHead, nothing } from "../../support/thumbnails/steps.ts";

const openVideo = async () => storeVideo((await openAccount()).id);

/** R2, row and figure agree on the thumbnail's size, whichever attempt made it. @returns the size */
async function expectOne(video: StoredVideo): Promise<number> {
  const sizeBytes = await thumbnailBytes(video);
  expect(sizeBytes).toBeGreaterThan(0);
  expect((await videoRow(video))?.thumbnail_size_bytes).toBe(sizeBytes);
  expect(await readMeter(video.accountId)).toMatchObject({ storageBytes: VIDEO_BYTES + sizeBytes, usedTenths: 10 });
  await expectAccounted(video.accountId);
  return sizeBytes;
}

/** A processor that counts its calls and makes every thumbnail larger than the one before. */
function growing(): { processor: Processor; calls: () => number } {
  let calls = 0;
  return { processor: () => made(JPEG_BYTES + 100 * ++calls), calls: () => calls };
}

/** A gate at which an attempt waits until the test opens it. */
function gate(): { wait: () => Promise<void>; reached: Promise<void>; goOn: () => void } {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const wait = async () => {
    reached.resolve();
    await released.promise;
  };
  return { wait, reached: reached.promise, goOn: released.resolve };
}

describe("Messages delivered twice", () => {
  it("A message delivered twice makes one thumbnail, with one processor call, counted once", async () => {
    const video = await openVideo();
    const { processor, calls } = growing();
    for (let attempt = 1; attempt <= 4; attempt++) {
      expect(await deliverOne(stored(video, attempt), { processor })).toBe("acked");
    }
    expect(calls()).toBe(1);
    expect(await expectOne(video)).toBe(JPEG_BYTES + 100);
  });

  it("A message delivered twice in one batch makes one thumbnail as well", async () => {
    const video = await openVideo();
    const sent = [1, 2, 3, 4].map(() => stored(video));
    const { acked, retried } = await deliver(sent, { processor: growing().processor });
    expect([acked.length, retried.length]).toEqual([4, 0]);
    await expectOne(video);
  });

  it.each([2, 3, 5])(
    "A message processed %d times at the same moment is counted at the size that R2 has",
    async (count) => {
      for (let round = 0; round < 5; round++) {
        const video = await openVideo();
        const { processor } = growing();
        let waiting = 0;
        const { promise: allArrived, resolve } = Promise.withResolvers<void>();
        const together: Processor = async (task) => {
          if (++waiting === count) resolve();
          await allArrived;
          return processor(task);
        };
        const outcomes = await Promise.all(
          Array.from({ length: count }, () => deliverOne(stored(video), { processor: together })),
        );
        expect(outcomes).toEqual(Array(count).fill("acked"));
        await expectOne(video);
        await replayTwice(video.accountId);
        await expectOne(video);
      }
    },
  );

  it.each([
    ["before it reserves", (wait: () => Promise<void>) => aroundMeter("reserveThumbnail", wait)],
    ["after it reserved", (wait: () => Promise<void>) => aroundMeter("reserveThumbnail", nothing, wait)],
    ["before its put", (wait: () => Promise<void>) => aroundPut(wait)],
    ["after its put", (wait: () => Promise<void>) => aroundPut(nothing, wait)],
    ["before it settles", (wait: () => Promise<void>) => aroundMeter("settleThumbnail", wait)],
    ["after it settled", (wait: () => Promise<void>) => aroundMeter("settleThumbnail", nothing, wait)],
  ])("A message whose second attempt passes the first %s is counted at the size that R2 has", async (_, around) => {
    const video = await openVideo();
    const { processor } = growing();
    const { wait, reached, goOn } = gate();
    const world: World = { processor, replaced: around(wait) };
    const first = deliverOne(stored(video), world);
    await reached;
    expect(await deliverOne(stored(video), { processor })).toBe("acked");
    goOn();
    expect(await first).toBe("acked");
    await expectOne(video);
    await replayTwice(video.accountId);
    await expectOne(video);
  });

  it("A message whose second attempt settles during the first is counted at the size that R2 has", async () => {
    const video = await openVideo();
    let isFirst = true;
    // The first settling has read R2, and waits there until the second attempt has put its own object.
    const head = async (key: string) => {
      const object = await env.FILES.head(key);
      if (!isFirst) return object;
      isFirst = false;
      while ((await env.FILES.head(key))?.size !== 2 * JPEG_BYTES) await new Promise((done) => setTimeout(done, 20));
      return object;
    };
    await replaceStores(video.accountId, bucketWithHead(head));
    const first = deliverOne(stored(video), { processor: () => made() });
    await expect.poll(() => isFirst, { interval: 5 }).toBe(false);
    const second = deliverOne(stored(video), { processor: () => made(2 * JPEG_BYTES) });
    expect(await Promise.all([first, second])).toEqual(["acked", "acked"]);
    expect(await expectOne(video)).toBe(2 * JPEG_BYTES);
    await restoreStores(video.accountId);
    await replayTwice(video.accountId);
    await expectOne(video);
  });

  it("A thumbnail is kept if the second attempt finds it impossible", async () => {
    const video = await openVideo();
    const { wait, reached, goOn } = gate();
    const refusing: Processor = async () => {
      await wait();
      return impossible();
    };
    const second = deliverOne(stored(video), { processor: refusing });
    await reached;
    await deliverOne(stored(video), { processor: () => made() });
    goOn();
    expect(await second).toBe("acked");
    expect(await expectOne(video)).toBe(JPEG_BYTES);
    expect((await videoRow(video))?.thumbnail_error).toBeNull();
  });

  it("A thumbnail that arrives while the second attempt gives up is kept", async () => {
    const video = await openVideo();
    const make = () => deliverOne(stored(video), { processor: () => made() });
    const replaced = aroundMeter("failThumbnail", make);
    expect(await deliverOne(stored(video), { processor: () => impossible(), replaced })).toBe("acked");
    expect(await expectOne(video)).toBe(JPEG_BYTES);
    expect((await videoRow(video))?.thumbnail_error).toBeNull();
  });

  it("An existing thumbnail is not changed by a late attempt", async () => {
    const video = await openVideo();
    const { processor } = growing();
    const replaced = aroundMeter("reserveThumbnail", async () => {
      await deliverOne(stored(video), { processor });
    });
    expect(await deliverOne(stored(video), { processor, replaced })).toBe("acked");
    // This is the second one's thumbnail, because the first came too late.
    expect(await expectOne(video)).toBe(JPEG_BYTES + 200);
  });
});
