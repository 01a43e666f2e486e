import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { replaceStores, restoreStores } from "../../support/api/account-state.ts";
import { openAccount } from "../../support/api/api.ts";
import {
  answer,
  impossible,
  JPEG_BYTES,
  made,
  type Processor,
  thumbnailJpeg,
} from "../../support/thumbnails/processor.ts";
import { deliverOne, stored } from "../../support/thumbnails/queue.ts";
import { expectAccounted, storeVideo, thumbnailBytes, videoRow } from "../../support/thumbnails/state.ts";
import { countingUpdates } from "../../support/thumbnails/steps.ts";

const MB = 1024 * 1024;

let accountId: string;

beforeAll(async () => {
  accountId = (await openAccount()).id;
});

const openVideo = () => storeVideo(accountId);

/** The first bytes of a JPEG without an end. @param onChunk gets the number of megabytes that were read */
function endless(onChunk: (count: number) => void): ReadableStream<Uint8Array> {
  let count = 0;
  return new ReadableStream({
    pull: (stream) => {
      onChunk(++count);
      stream.enqueue(count === 1 ? thumbnailJpeg(MB) : new Uint8Array(MB));
      if (count === 100) stream.close();
    },
  });
}

describe("Invalid thumbnails", () => {
  const answers: [string, Processor][] = [
    ["no content type", () => made(JPEG_BYTES, { "Content-Type": undefined })],
    ["a page", () => made(JPEG_BYTES, { "Content-Type": "text/html" })],
    ["another image", () => made(JPEG_BYTES, { "Content-Type": "image/png" })],
    ["no length", () => made(JPEG_BYTES, { "Content-Length": undefined })],
    ["an absurd length", () => made(JPEG_BYTES, { "Content-Length": "a few" })],
    ["a negative length", () => made(JPEG_BYTES, { "Content-Length": "-1" })],
    ["a length that is no whole number", () => made(JPEG_BYTES, { "Content-Length": "1233.5" })],
    ["more than its length", () => made(JPEG_BYTES, { "Content-Length": String(JPEG_BYTES - 1) })],
    ["less than its length", () => made(JPEG_BYTES, { "Content-Length": String(JPEG_BYTES + 1) })],
    ["nothing", () => answer(null)],
    ["an empty body", () => answer("")],
    ["text", () => answer("<html>Bad gateway</html>")],
    ["a picture that lacks its beginning", () => answer(thumbnailJpeg().slice(1))],
    ["a picture that lacks its end", () => answer(thumbnailJpeg().slice(0, -1))],
    ["too large a picture", () => made(4 * MB + 1)],
    ["no width", () => made(JPEG_BYTES, { "Media-Width": undefined })],
    ["no height", () => made(JPEG_BYTES, { "Media-Height": undefined })],
    ...["", "0", "-640", "640.5", "1e3", "0x280", "Infinity", "NaN", "99999999", "wide"].flatMap(
      (side): [string, Processor][] => [
        [`the width "${side}"`, () => made(JPEG_BYTES, { "Media-Width": side })],
        [`the height "${side}"`, () => made(JPEG_BYTES, { "Media-Height": side })],
      ],
    ),
    ...["", "-1", "1e3", "long", "1.2.3", "Infinity"].map((duration): [string, Processor] => [
      `the duration "${duration}"`,
      () => made(JPEG_BYTES, { "Media-Duration": duration }),
    ]),
    ["204", () => new Response(null, { status: 204 })],
    ["201", () => new Response(made().body, { status: 201, headers: made().headers })],
    ["a redirect", () => new Response(null, { status: 302, headers: { Location: "https://elsewhere.example" } })],
    ["a refusal that says nothing", () => new Response(null, { status: 422 })],
    ["a refusal that is no JSON", () => new Response("{", { status: 422 })],
    ["a refusal that is null", () => Response.json(null, { status: 422 })],
    ["a refusal without a reason", () => Response.json({ error: "no" }, { status: 422 })],
    ["a refusal whose reason is a number", () => Response.json({ reason: 1 }, { status: 422 })],
    ["a refusal without an end", () => Response.json({ reason: "x".repeat(MB) }, { status: 422 })],
  ];

  it.each(answers)(
    "An invalid thumbnail (%s) is requested again, and nothing of it is stored",
    async (_, processor) => {
      const video = await openVideo();
      expect(await deliverOne(stored(video), { processor })).toBe("retried");
      expect(await thumbnailBytes(video)).toBe(0);
      expect(await videoRow(video)).toMatchObject({
        width: 1,
        height: 1,
        duration_ms: null,
        thumbnail_size_bytes: null,
        thumbnail_error: null,
      });
      await expectAccounted(video.accountId);
    },
  );

  it.each([
    ["far more than it announced", String(MB)],
    ["more than any thumbnail has", String(100 * MB)],
  ])("An invalid thumbnail (%s) is not read to its end", async (_, length) => {
    const video = await openVideo();
    let read = 0;
    const headers = { ...Object.fromEntries(made().headers), "Content-Length": length };
    const body = () =>
      endless((count) => {
        read = count;
      });
    expect(await deliverOne(stored(video), { processor: () => new Response(body(), { headers }) })).toBe("retried");
    expect(read).toBeLessThan(10);
    expect(await thumbnailBytes(video)).toBe(0);
  });
});

describe("Video facts", () => {
  it.each<[string, Processor, object]>([
    ["with its thumbnail", () => made(), { width: 1920, duration_ms: 12_345, thumbnail_size_bytes: JPEG_BYTES }],
    [
      "with the reason for having none",
      () => impossible("no video in the file"),
      { thumbnail_error: "no video in the file" },
    ],
  ])("A video's facts are stored at once, %s", async (_, processor, expected) => {
    const video = await openVideo();
    const database = countingUpdates();
    await replaceStores(video.accountId, database.databases);
    expect(await deliverOne(stored(video), { processor, replaced: database.databases })).toBe("acked");
    await restoreStores(video.accountId);
    expect(await videoRow(video)).toMatchObject(expected);
    expect(database.count).toBe(1);
  });

  it("A video's facts are stored at once if the storage has no room for the thumbnail", async () => {
    const video = await openVideo();
    const database = countingUpdates();
    const full = () => Promise.resolve("storage-full" as const);
    const getByName = (accountId: string) => {
      const meter = env.ACCOUNT_METER.getByName(accountId);
      const failThumbnail: typeof meter.failThumbnail = (...args) => meter.failThumbnail(...args);
      return { locate: () => meter.locate(), reserveThumbnail: full, failThumbnail };
    };
    const replaced = { ...database.databases, ACCOUNT_METER: { getByName } as unknown as Env["ACCOUNT_METER"] };
    await replaceStores(video.accountId, database.databases);
    expect(await deliverOne(stored(video), { processor: () => made(), replaced })).toBe("acked");
    await restoreStores(video.accountId);
    const known = { width: 1920, height: 1080, duration_ms: 12_345, thumbnail_error: "The storage was full" };
    expect(await videoRow(video)).toMatchObject(known);
    expect(database.count).toBe(1);
  });

  it("A video's facts are logged with its thumbnail", async () => {
    const video = await openVideo();
    await deliverOne(stored(video), { processor: () => made() });
    expect(await videoRow(video)).toMatchObject({ width: 1920, height: 1080, duration_ms: 12_345 });
  });

  it.each([
    [undefined, null],
    ["0", 0],
    ["0.04", 40],
    ["1.0006", 1001],
    ["360000", 360_000_000],
    // The longest duration of a file that counts microseconds in 64 bits.
    ["9223372036854.77", null],
  ])("A video may have the duration %s", async (seconds, durationMs) => {
    const video = await openVideo();
    const processor = () => made(JPEG_BYTES, { "Media-Duration": seconds });
    expect(await deliverOne(stored(video), { processor })).toBe("acked");
    expect(await videoRow(video)).toMatchObject({ duration_ms: durationMs, thumbnail_size_bytes: JPEG_BYTES });
  });

  it.each([
    ["1", "1"],
    ["65535", "65535"],
  ])("A video may have the size %s x %s", async (width, height) => {
    const video = await openVideo();
    const processor = () => made(JPEG_BYTES, { "Media-Width": width, "Media-Height": height });
    expect(await deliverOne(stored(video), { processor })).toBe("acked");
    expect(await videoRow(video)).toMatchObject({ width: Number(width), height: Number(height) });
  });

  it("A video's facts include a bounded reason for a missing thumbnail", async () => {
    const video = await openVideo();
    expect(await deliverOne(stored(video), { processor: () => impossible("x".repeat(10_000)) })).toBe("acked");
    const error = (await videoRow(video))?.thumbnail_error ?? "";
    expect(error).toMatch(/^x+$/);
    expect(error.length).toBeLessThanOrEqual(200);
  });
});
