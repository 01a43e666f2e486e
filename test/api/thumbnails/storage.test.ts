import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  meterOf,
  readMeter,
  replaceStores,
  replayIntents,
  replayTwice,
  restoreStores,
  setStorageBytes,
} from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type TestAccount } from "../../support/api/api.ts";
import { JPEG_BYTES, made } from "../../support/thumbnails/processor.ts";
import { deliverOne, stored } from "../../support/thumbnails/queue.ts";
import { expectAccounted, storeVideo, thumbnailBytes, VIDEO_BYTES, videoRow } from "../../support/thumbnails/state.ts";
import { bucketWithHead } from "../../support/thumbnails/steps.ts";

const GB = 1024 ** 3;
interface Listed {
  readonly _id: string;
  readonly thumbnailUrl: string | null;
  readonly size: { readonly width: number; readonly height: number };
}

async function one(account: TestAccount, uploadId: string): Promise<Listed> {
  return (await call(`/images/${uploadId}`, { headers: bearer(account.token) })).json();
}

describe("Full storage", () => {
  it("A full storage permanently skips the thumbnail, keeps the video's facts and reserves nothing", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await setStorageBytes(account.id, GB - JPEG_BYTES + 1);
    expect(await deliverOne(stored(video), { processor: () => made() })).toBe("acked");
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: GB - JPEG_BYTES + 1, intents: [] });
    expect(await thumbnailBytes(video)).toBe(0);
    expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: null, thumbnail_error: expect.any(String) });
    expect(await one(account, video.uploadId)).toMatchObject({
      thumbnailUrl: null,
      size: { width: 1920, height: 1080 },
    });
    expect((await call(`/${video.objectKey}`)).status).toBe(200);
    // The thumbnail is not made later, when storage is free again.
    await setStorageBytes(account.id, VIDEO_BYTES);
    expect(await deliverOne(stored(video, 2), { processor: () => made() })).toBe("acked");
    await expectAccounted(account.id);
  });

  it("A thumbnail that fits to the byte is stored", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await setStorageBytes(account.id, GB - JPEG_BYTES);
    expect(await deliverOne(stored(video), { processor: () => made() })).toBe("acked");
    expect((await readMeter(account.id)).storageBytes).toBe(GB);
    expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
  });

  it("A thumbnail shares the free storage with uploads and other thumbnails in progress", async () => {
    const account = await openAccount();
    const [first, second] = [await storeVideo(account.id), await storeVideo(account.id)];
    await setStorageBytes(account.id, GB - 1.5 * JPEG_BYTES);
    const meter = meterOf(account.id);
    expect(await meter.reserveThumbnail(first.uploadId, JPEG_BYTES)).toBe("reserved");
    expect(await meter.reserveThumbnail(second.uploadId, JPEG_BYTES)).toBe("storage-reserved");
    // A repeated reservation replaces the previous one.
    expect(await meter.reserveThumbnail(first.uploadId, JPEG_BYTES + 1)).toBe("reserved");
    const intent = { kind: "upload", uploadId: "a", objectKey: "a", keyId: null } as const;
    expect(await meter.reserve(intent, JPEG_BYTES, JPEG_BYTES)).toMatchObject({ outcome: "storage-full" });
    await replayTwice(account.id);
    expect(await meter.reserveThumbnail(second.uploadId, JPEG_BYTES)).toBe("reserved");
  });

  it("A thumbnail's reservation survives the replay of an earlier attempt that finds nothing", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    const meter = meterOf(account.id);
    expect(await meter.reserveThumbnail(video.uploadId, JPEG_BYTES)).toBe("reserved");
    const head = async (key: string) => {
      const found = await env.FILES.head(key);
      expect(await meterOf(account.id).reserveThumbnail(video.uploadId, JPEG_BYTES)).toBe("reserved");
      return found;
    };
    await replaceStores(account.id, bucketWithHead(head));
    await replayIntents(account.id);
    await restoreStores(account.id);
    expect((await readMeter(account.id)).intents).toMatchObject([{ reserved_bytes: JPEG_BYTES }]);
    // An ended attempt keeps nothing.
    await replayTwice(account.id);
    expect((await readMeter(account.id)).intents).toEqual([]);
    await expectAccounted(account.id);
  });
});

describe("Storage reserved by an upload", () => {
  /** A client that does not declare its upload's size reserves all free storage. */
  const large = { kind: "upload", uploadId: "01k2d6gqk3x5bq3t8z9w7y6v5r", objectKey: "a", keyId: null } as const;

  it("A thumbnail without free storage during an upload is retried, and stored when there is free storage", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await setStorageBytes(account.id, GB - 50 * JPEG_BYTES);
    const meter = meterOf(account.id);
    expect(await meter.reserve(large, 1, GB)).toMatchObject({ outcome: "reserved", reservedBytes: 50 * JPEG_BYTES });
    expect(await deliverOne(stored(video), { processor: () => made() })).toBe("retried");
    expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: null, thumbnail_error: null });
    await meter.release([large.uploadId]);
    expect(await deliverOne(stored(video, 2), { processor: () => made() })).toBe("acked");
    expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: JPEG_BYTES, thumbnail_error: null });
    expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
  });

  it("A thumbnail is skipped permanently if even the end of that upload would not free enough storage", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    await setStorageBytes(account.id, GB - JPEG_BYTES + 1);
    const meter = meterOf(account.id);
    expect(await meter.reserve(large, 1, GB)).toMatchObject({ outcome: "reserved" });
    expect(await meter.reserveThumbnail(video.uploadId, JPEG_BYTES)).toBe("storage-full");
    expect(await deliverOne(stored(video), { processor: () => made() })).toBe("acked");
    expect(await videoRow(video)).toMatchObject({ thumbnail_error: expect.any(String) });
  });
});
