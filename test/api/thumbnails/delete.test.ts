import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { thumbnailKey } from "../../../src/domain/object-key.ts";
import {
  meterOf,
  readMeter,
  replaceStores,
  replayTwice,
  restoreStores,
  usageOf,
} from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type TestAccount } from "../../support/api/api.ts";
import { JPEG_BYTES, made, type Processor } from "../../support/thumbnails/processor.ts";
import { DEAD, deliverOne, type StoredVideo, stored, type World } from "../../support/thumbnails/queue.ts";
import {
  expectAccounted,
  expectNoTrace,
  storeVideo,
  thumbnailBytes,
  VIDEO_BYTES,
  videoRow,
} from "../../support/thumbnails/state.ts";
import { afterUpdate, aroundPut, bucketWithHead, crash, MOMENTS, nothing } from "../../support/thumbnails/steps.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";

const processor: Processor = () => made();

async function remove(account: TestAccount, { uploadId }: StoredVideo): Promise<Response> {
  const response = await call(`/images/${uploadId}`, { method: "DELETE", headers: bearer(account.token) });
  expect(response.status).toBe(200);
  return response;
}

describe("Deleted videos", () => {
  it("A deleted video frees its thumbnail's bytes too, at once, and both URLs stop working", async () => {
    const account = await openAccount();
    const [video, kept] = [await storeVideo(account.id), await storeVideo(account.id)];
    for (const each of [video, kept]) await deliverOne(stored(each), { processor });
    const thumbnail = `/uploads/${account.id}/thumbs/${video.uploadId}-thumb.jpg`;
    expect((await call(thumbnail)).status).toBe(200);
    const response = await remove(account, video);
    expect(usageOf(response)).toEqual({ storage: VIDEO_BYTES + JPEG_BYTES, operations: 3 });
    expect((await call(thumbnail)).status).toBe(404);
    expect((await call(`/${video.objectKey}`)).status).toBe(404);
    expect(await thumbnailBytes(kept)).toBe(JPEG_BYTES);
    await expectAccounted(account.id);
  });

  it("A video deleted before its message costs nothing: the processor is not called", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await remove(account, video);
    const world: World = {
      processor: () => {
        throw new Error("The processor was asked");
      },
    };
    for (let attempt = 1; attempt < 3; attempt++) expect(await deliverOne(stored(video, attempt), world)).toBe("acked");
    expect(await meterOf(account.id).reserveThumbnail(video.uploadId, JPEG_BYTES)).toBe("gone");
    await expectNoTrace(account.id);
  });

  it.each(MOMENTS)("A video that is deleted %s leaves nothing behind", async (_, worldWith) => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    expect(
      await deliverOne(
        stored(video),
        worldWith(() => remove(account, video)),
      ),
    ).toBe("acked");
    await expectNoTrace(account.id);
    await replayTwice(account.id);
    await expectNoTrace(account.id);
    expect((await readMeter(account.id)).usedTenths).toBe(20);
  });

  it.each(MOMENTS)(
    "The alarm removes every trace of a video that is deleted %s of an attempt that then crashes",
    async (_, worldWith) => {
      const account = await openAccount();
      const video = await storeVideo(account.id);
      await deliverOne(
        stored(video),
        worldWith(async () => {
          await remove(account, video);
          await crash();
        }),
      );
      await replayTwice(account.id);
      await expectNoTrace(account.id);
    },
  );

  it("The alarm deletes a thumbnail that an attempt wrote after the video's deletion, before it crashed", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await deliverOne(stored(video), { processor, replaced: aroundPut(() => remove(account, video), crash) });
    expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
    await replayTwice(account.id);
    await expectNoTrace(account.id);
  });

  it("A dead consumer's thumbnail that arrives after another one's, and after the deletion, is removed by the alarm", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await deliverOne(stored(video), { processor, replaced: aroundPut(crash) });
    expect(await deliverOne(stored(video, 2), { processor })).toBe("acked");
    await remove(account, video);
    await env.FILES.put(thumbnailKey(account.id, video.uploadId), "late");
    await replayTwice(account.id);
    await expectNoTrace(account.id);
  });

  it("A dead consumer's thumbnail that replaces another one's is counted by the alarm", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await deliverOne(stored(video), { processor, replaced: aroundPut(crash) });
    expect(await deliverOne(stored(video, 2), { processor })).toBe("acked");
    await env.FILES.put(thumbnailKey(account.id, video.uploadId), new Uint8Array(2 * JPEG_BYTES));
    await replayTwice(account.id);
    expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: 2 * JPEG_BYTES });
    await expectAccounted(account.id);
  });

  it("A video deleted while its thumbnail is being settled leaves nothing behind", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    // The settling has read the thumbnail and has not yet updated the row.
    const head = async (key: string) => {
      const object = await env.FILES.head(key);
      await remove(account, video);
      return object;
    };
    await replaceStores(account.id, bucketWithHead(head));
    expect(await deliverOne(stored(video), { processor })).toBe("acked");
    await restoreStores(account.id);
    await replayTwice(account.id);
    await expectNoTrace(account.id);
  });

  it("A video deleted between its thumbnail's row and figure leaves nothing behind", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await replaceStores(
      account.id,
      afterUpdate(() => remove(account, video)),
    );
    expect(await deliverOne(stored(video), { processor })).toBe("acked");
    await restoreStores(account.id);
    await replayTwice(account.id);
    await expectNoTrace(account.id);
  });

  it("A video deleted during its thumbnail's put also deletes it for the next delivery", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await remove(account, video);
    // The object of an attempt without a record.
    await env.FILES.put(`uploads/${account.id}/thumbs/${video.uploadId}-thumb.jpg`, "a thumbnail");
    expect(await deliverOne(stored(video, 3), { processor })).toBe("acked");
    await expectNoTrace(account.id);
  });

  it("A video deleted at the same time as its thumbnail is made leaves nothing, in either order", async () => {
    for (let round = 0; round < 10; round++) {
      const account = await openAccount();
      const video = await storeVideo(account.id);
      const slow: Processor = async () => {
        await new Promise((resolve) => setTimeout(resolve, 3 * round));
        return made();
      };
      const [outcome] = await Promise.all([deliverOne(stored(video), { processor: slow }), remove(account, video)]);
      expect(outcome).toBe("acked");
      await expectNoTrace(account.id);
    }
  });

  it("A video deleted before its message is dead leaves nothing behind", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await deliverOne(stored(video), { processor, replaced: aroundPut(nothing, crash) });
    await remove(account, video);
    expect(await deliverOne(stored(video), { processor, queue: DEAD })).toBe("acked");
    await replayTwice(account.id);
    await expectNoTrace(account.id);
  });
});

describe("Unsettled videos", () => {
  async function unsettled() {
    const account = await openAccount();
    const upload = new InterruptedUpload(account.id, "video", VIDEO_BYTES);
    await upload.reserve();
    await upload.put();
    await upload.insertRow();
    const video: StoredVideo = { accountId: account.id, uploadId: upload.uploadId, objectKey: upload.objectKey };
    return { account, upload, video };
  }

  it("A video gets its thumbnail as soon as it is settled", async () => {
    const { account, upload, video } = await unsettled();
    expect(await deliverOne(stored(video), { processor })).toBe("retried");
    expect(await thumbnailBytes(video)).toBe(0);
    await upload.settle();
    expect(await deliverOne(stored(video, 2), { processor })).toBe("acked");
    expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: JPEG_BYTES });
    await expectAccounted(account.id);
  });

  it("A video that is undone before it is settled leaves no thumbnail behind", async () => {
    const { account, upload, video } = await unsettled();
    await deliverOne(stored(video), { processor });
    await env.FILES.delete(upload.objectKey);
    await replayTwice(account.id);
    expect(await deliverOne(stored(video, 2), { processor })).toBe("acked");
    await expectNoTrace(account.id);
  });
});
