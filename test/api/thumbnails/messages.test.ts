import { describe, expect, it } from "vitest";
import type { FileViewed } from "../../../src/domain/queue-messages.ts";
import { MAX_DEAD_ATTEMPTS } from "../../../src/jobs/dead-messages.ts";
import { readMeter } from "../../support/api/account-state.ts";
import { bearer, call, openAccount } from "../../support/api/api.ts";
import { failingDatabases } from "../../support/api/databases.ts";
import { impossible, JPEG_BYTES, made, type Processor } from "../../support/thumbnails/processor.ts";
import { DEAD, deliver, deliverOne, message, type Sent, stored, UPLOADS } from "../../support/thumbnails/queue.ts";
import { expectAccounted, storeVideo, thumbnailBytes, videoRow } from "../../support/thumbnails/state.ts";
import { collected, newViews } from "../../support/views/collected.ts";

const VIEWS = "media-host-views";

const openVideo = async () => storeVideo((await openAccount()).id);

const ids = (sent: readonly Sent[]) => sent.map(({ id }) => id).sort();

describe("Unknown messages", () => {
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
  const order = {
    type: "variant.ordered",
    accountId: ACCOUNT,
    uploadId: UPLOAD,
    fileKey: known.objectKey,
    sourceKey: known.objectKey,
    mimeType: "video/mp4",
    objectKey: `variants/${ACCOUNT}/${UPLOAD}/poster1500.jpg`,
    make: { posterMs: 1500 },
  };
  const views = collected({ [ACCOUNT]: newViews(1) });
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
    ["a view whose id is a number", { ...view, viewId: 1 }],
    ["a view of nothing", { ...view, objectKey: undefined }],
    ["an order of no upload", { ...order, uploadId: undefined }],
    ["an order of another account's file", { ...order, fileKey: `uploads/${UPLOAD}/${UPLOAD}-a.mp4` }],
    ["an order of another upload's object", { ...order, objectKey: `variants/${ACCOUNT}/${ACCOUNT}/poster1500.jpg` }],
    ["an order of an object with another name", { ...order, objectKey: `variants/${ACCOUNT}/${UPLOAD}/poster1.jpg` }],
    ["an order that makes nothing", { ...order, make: null }],
    ["an order that makes something unknown", { ...order, make: {} }],
    ["an order of an unknown type", { ...order, mimeType: "text/html" }],
    ["collected views of no journal", { ...views, journal: undefined }],
    ["collected views that have no number", { ...views, sequence: "1" }],
    ["collected views that are a list", { ...views, packs: [] }],
    ["collected views of an account that is no id", { ...views, packs: new Map([["../x", new Uint8Array(1)]]) }],
    ["collected views that are not bytes", { ...views, packs: new Map([[ACCOUNT, "views"]]) }],
  ];

  it.each(bodies)("An unknown message (%s) is dropped, and blocks no other, in any queue", async (_, body) => {
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

  it("A message with additional fields is accepted", async () => {
    const video = await openVideo();
    const sent = stored(video);
    const { acked } = await deliver([{ ...sent, body: { ...(sent.body as object), priority: "high" } }], {
      processor: () => made(),
    });
    expect(acked).toHaveLength(1);
    expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
  });

  it("An unknown message does not keep views in its batch from being counted", async () => {
    const account = await openAccount();
    const objectKey = `uploads/${account.id}/${UPLOAD}-a.png`;
    const sent = [message({ ...view, accountId: account.id, viewedAt: "" }), message(null)];
    sent.push(message({ ...view, accountId: account.id, objectKey, viewedAt: Date.now() }));
    const { acked } = await deliver(sent, { processor: () => made(), queue: VIEWS });
    expect(acked).toHaveLength(3);
    expect((await readMeter(account.id)).usedTenths).toBe(1);
  });
});

describe("Failing messages", () => {
  const ours: [string, Processor, Partial<Env>?][] = [
    ["a processor that is down", () => Promise.reject(new TypeError("Network connection lost."))],
    ["a processor that fails", () => new Response("out of order", { status: 500 })],
    [
      "a video that the processor cannot read",
      () => Response.json({ reason: "the source answered 401" }, { status: 502 }),
    ],
    ["a Worker that does not know the processor", () => made(), { MEDIA_PROCESSOR_URL: "nowhere" }],
    ["D1 that does not answer", () => made(), failingDatabases()],
  ];

  it.each(ours)(
    "A failing message (%s) never marks the video's thumbnail as failed",
    async (_, processor, replaced = {}) => {
      const account = await openAccount();
      const video = await storeVideo(account.id);
      for (const attempts of [1, MAX_DEAD_ATTEMPTS - 1, MAX_DEAD_ATTEMPTS, 1000]) {
        const sent = { ...stored(video, attempts), timestamp: new Date(Date.now() - attempts * 6 * 3_600_000) };
        // A message in its last attempt is kept for the operator.
        const end = attempts < MAX_DEAD_ATTEMPTS ? "retried" : "acked";
        expect(await deliverOne(sent, { processor, queue: DEAD, replaced })).toBe(end);
        expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: null, thumbnail_error: null });
      }
      const one = await call(`/images/${video.uploadId}`, { headers: bearer(account.token) });
      expect(await one.json()).toMatchObject({ thumbnailUrl: expect.stringContaining("-thumb.jpg") });
      expect(await deliverOne(stored(video), { processor: () => made(), queue: DEAD })).toBe("acked");
      expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
      await expectAccounted(account.id);
    },
  );

  it("A failing message is retried for days, later each time, within a queue's limits", async () => {
    const video = await openVideo();
    const delays: number[] = [];
    for (let attempts = 1; attempts < MAX_DEAD_ATTEMPTS; attempts++) {
      const sent = stored(video, attempts);
      const delivery = await deliver([sent], { processor: () => new Response(null, { status: 503 }), queue: DEAD });
      delays.push(delivery.delays.get(sent.id) ?? 0);
    }
    const hours = delays.reduce((sum, delay) => sum + delay) / 3600;
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(delays[0]).toBe(15 * 60);
    // Cloudflare Queues, "Limits": a delay is at most 12 hours; a queue keeps a message for four days unless configured otherwise.
    expect(Math.max(...delays)).toBeLessThanOrEqual(12 * 3600);
    expect(hours).toBeGreaterThan(3 * 24);
    expect(hours).toBeLessThan(4 * 24 - 6);
  });

  it("A failing message of a video without a possible thumbnail is recorded as such", async () => {
    const video = await openVideo();
    const processor = () => impossible("no video in the file");
    expect(await deliverOne(stored(video), { processor, queue: DEAD })).toBe("acked");
    expect(await videoRow(video)).toMatchObject({ thumbnail_error: "no video in the file" });
  });

  it("A failing message changes nothing of a video that has its thumbnail", async () => {
    const video = await openVideo();
    await deliverOne(stored(video), { processor: () => made() });
    expect(await deliverOne(stored(video), { processor: () => impossible(), queue: DEAD })).toBe("acked");
    expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: JPEG_BYTES, thumbnail_error: null });
    expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
    await expectAccounted(video.accountId);
  });
});
