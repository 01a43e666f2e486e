import { describe, expect, it } from "vitest";
import type { FileViewed } from "../../src/jobs/messages.ts";
import { failingStore, readMeter, replayTwice } from "../support/account-state.ts";
import { bearer, call, openAccount } from "../support/api.ts";
import { impossible, JPEG_BYTES, made, type Processor } from "../support/thumbnail-processor.ts";
import { DEAD, deliver, deliverOne, message, type Sent, stored, UPLOADS } from "../support/thumbnail-queue.ts";
import { expectAccounted, storeVideo, thumbnailBytes, VIDEO_BYTES, videoRow } from "../support/thumbnail-state.ts";

const VIEWS = "media-host-views";

const openVideo = async () => storeVideo((await openAccount()).id);

const ids = (sent: readonly Sent[]) => sent.map(({ id }) => id).sort();

describe("a message that nobody knows", () => {
  const ACCOUNT = "01hzy3v7k9q4r5s6t7v8w9x0ya";
  const UPLOAD = "01hzy3v7k9q4r5s6t7v8w9x0yb";
  const known = {
    type: "upload.stored",
    accountId: ACCOUNT,
    uploadId: UPLOAD,
    objectKey: `uploads/${ACCOUNT}/${UPLOAD}-a.mp4`,
    mimeType: "video/mp4",
  };
  const view: FileViewed = { type: "file.viewed", accountId: ACCOUNT, objectKey: known.objectKey, viewedAt: 1 };
  const bodies: [string, unknown][] = [
    ["null", null],
    ["nothing", undefined],
    ["a number", 1],
    ["a string", "upload.stored"],
    ["a list", [known]],
    ["an empty object", {}],
    ["a type that is no string", { ...known, type: 1 }],
    ["an unknown type", { ...known, type: "upload.forgotten" }],
    ["a type of every object", { ...known, type: "toString" }],
    ["__proto__ as its type", { ...known, type: "__proto__" }],
    ["a type alone", { type: "upload.stored" }],
    ["no account", { ...known, accountId: undefined }],
    ["an account that is no id", { ...known, accountId: "../x" }],
    ["an account that is a list", { ...known, accountId: [ACCOUNT] }],
    ["no upload", { ...known, uploadId: undefined }],
    ["an upload that is not the key's", { ...known, uploadId: ACCOUNT }],
    ["another account's key", { ...known, objectKey: `uploads/${UPLOAD}/${UPLOAD}-a.mp4` }],
    ["no key", { ...known, objectKey: null }],
    ["a key that is none of ours", { ...known, objectKey: "secrets" }],
    ["no media type", { ...known, mimeType: undefined }],
    ["an image", { ...known, mimeType: "image/png" }],
    ["a view of no account", { ...view, accountId: null }],
    ["a view at no time", { ...view, viewedAt: "yesterday" }],
    ["a view at the end of time", { ...view, viewedAt: Number.POSITIVE_INFINITY }],
    ["a view of nothing", { ...view, objectKey: undefined }],
  ];

  it.each(bodies)("(%s) is dropped, and blocks nobody, in any queue", async (_, body) => {
    const video = await openVideo();
    for (const queue of [UPLOADS, VIEWS, DEAD, "media-host-views-dead"]) {
      const sent = [message(body), stored(video), message(body, 7)];
      const { acked, retried } = await deliver(sent, { processor: () => made(), queue });
      expect(retried).toEqual([]);
      expect(acked.sort()).toEqual(ids(sent));
    }
    expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
    await expectAccounted(video.accountId);
  });

  it("with more than it should have is taken all the same", async () => {
    const video = await openVideo();
    const sent = stored(video);
    const { acked } = await deliver([{ ...sent, body: { ...(sent.body as object), priority: "high" } }], {
      processor: () => made(),
    });
    expect(acked).toHaveLength(1);
    expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
  });

  it("does not keep views beside it from being counted", async () => {
    const account = await openAccount();
    const objectKey = `uploads/${account.id}/${UPLOAD}-a.png`;
    const sent = [message({ ...view, accountId: account.id, viewedAt: "" }), message(null)];
    sent.push(message({ ...view, accountId: account.id, objectKey, viewedAt: Date.now() }));
    const { acked } = await deliver(sent, { processor: () => made(), queue: VIEWS });
    expect(acked).toHaveLength(3);
    expect((await readMeter(account.id)).usedTenths).toBe(1);
  });
});

describe("a message that was tried again in vain", () => {
  const untouched: Processor = () => {
    throw new Error("The processor was asked");
  };

  it("is recorded as a failure, however often it dies", async () => {
    const account = await openAccount();
    const video = await storeVideo(account.id);
    for (let attempt = 1; attempt < 4; attempt++) {
      expect(await deliverOne(stored(video, attempt), { processor: untouched, queue: DEAD })).toBe("acked");
      expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: null, thumbnail_error: expect.any(String) });
    }
    const one = await call(`/images/${video.uploadId}`, { headers: bearer(account.token) });
    expect(await one.json()).toMatchObject({ thumbnailUrl: null });
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: VIDEO_BYTES, usedTenths: 10 });
    await expectAccounted(account.id);
  });

  it("takes nothing from a video that has its thumbnail", async () => {
    const video = await openVideo();
    await deliverOne(stored(video), { processor: () => made() });
    expect(await deliverOne(stored(video), { processor: untouched, queue: DEAD })).toBe("acked");
    expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: JPEG_BYTES, thumbnail_error: null });
    expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
    await expectAccounted(video.accountId);
  });

  it("keeps the reason that is known already", async () => {
    const video = await openVideo();
    await deliverOne(stored(video), { processor: () => impossible("no video in the file") });
    await deliverOne(stored(video), { processor: untouched, queue: DEAD });
    expect(await videoRow(video)).toMatchObject({ thumbnail_error: "no video in the file" });
  });

  it("is tried again itself where the failure cannot be recorded", async () => {
    const video = await openVideo();
    const replaced = { DB: failingStore<D1Database>() };
    const sent = stored(video, 3);
    const { retried, delays } = await deliver([sent], { processor: untouched, queue: DEAD, replaced });
    expect(retried).toEqual([sent.id]);
    expect(delays.get(sent.id)).toBe(8);
    expect(await deliverOne(stored(video, 4), { processor: untouched, queue: DEAD })).toBe("acked");
    await replayTwice(video.accountId);
    await expectAccounted(video.accountId);
  });
});
