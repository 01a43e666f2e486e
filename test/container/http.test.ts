import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunk, riff } from "../support/media/media-bytes.ts";
import { photo } from "../support/media/pictures.ts";
import { Processor, reasonOf } from "../support/processor/processor.ts";

const MAX_IMAGE_BYTES = 2_000_000;
const COMPRESS = "/compress?type=image/webp&quality=65";

let processor: Processor;
let picture: Buffer;
/** An image that is small to send and takes long to compress. */
let slowPicture: Buffer;

beforeAll(async () => {
  processor = await Processor.start({
    MAX_IMAGE_BYTES: String(MAX_IMAGE_BYTES),
    MAX_WAITING: "1",
    SOURCE_ORIGINS: "http://127.0.0.1:9, https://files.example.com",
  });
  picture = await photo(60, 40).webp({ quality: 98 }).toBuffer();
  const plane = { create: { width: 7000, height: 7000, channels: 3, background: "#123456" } } as const;
  slowPicture = await sharp(plane).webp({ effort: 0 }).toBuffer();
});

afterAll(() => processor?.[Symbol.asyncDispose]());

describe("processor", () => {
  it("The processor reports that it is healthy, and its load", async () => {
    const response = await fetch(`${processor.url}/health`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: "ok", compressions: { running: 0, waiting: 0 } });
  });

  it("The processor reports its version of ffmpeg", async () => {
    const { ffmpeg } = (await (await fetch(`${processor.url}/health`)).json()) as { ffmpeg: string };
    expect(ffmpeg).toMatch(/\d/);
  });

  it.each(["Origin", "Sec-Fetch-Site"])("The processor refuses a web page's request: %s", async (header) => {
    for (const path of ["/health", COMPRESS, "/thumbnail"]) {
      const headers = { [header]: "https://evil.example" };
      const response =
        path === "/health"
          ? await fetch(processor.url + path, { headers })
          : await processor.post(path, picture, { headers });
      expect(await reasonOf(response, 403)).toMatch(/browsers/);
    }
  });

  it.each<readonly [string, RegExp]>([
    ...["jpeg", "png", "gif", "avif"].map((type) => [`/compress?type=image/${type}&quality=65`, /type/] as const),
    ["/compress?quality=65", /type/],
    ["/compress?type=image/webp", /quality/],
    ["/compress?type=image/webp&quality=0", /quality/],
    ["/compress?type=image/webp&quality=101", /quality/],
    ["/compress?type=image/webp&quality=6.5", /quality/],
  ])("The processor answers 400 to %s", async (path, reason) => {
    expect(await reasonOf(await processor.post(path, picture), 400)).toMatch(reason);
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["no object", "null"],
    ["no source", { source: 7 }],
    ["no URL", { source: "/etc/passwd" }],
    ["a file", { source: "file:///etc/passwd" }],
    ["another origin", { source: "http://127.0.0.1:10/" }],
    ["another scheme", { source: "http://files.example.com/" }],
    ["another port", { source: "https://files.example.com:8443/" }],
    ["credentials", { source: "https://files.example.com@evil.example/" }],
    ["a user", { source: "https://me:secret@files.example.com/" }],
    ["an image", { type: "image/gif" }],
    ["a playlist", { type: "application/vnd.apple.mpegurl" }],
    ["no width", { width: 0 }],
    ["a huge width", { width: 1e9 }],
    ["a quality in words", { quality: "high" }],
  ])("The processor answers 400 to a thumbnail of %s", async (_, wrong) => {
    const right = { source: "http://127.0.0.1:9/a", type: "video/mp4", width: 640, quality: 80 };
    const body = typeof wrong === "string" ? wrong : JSON.stringify({ ...right, ...wrong });
    expect(await reasonOf(await processor.post("/thumbnail", Buffer.from(body)), 400)).not.toBe("");
  });

  it("The processor answers 404 to unknown paths and 405 to wrong methods", async () => {
    await reasonOf(await fetch(`${processor.url}/`), 404);
    await reasonOf(await fetch(`${processor.url}/etc/passwd`), 404);
    await reasonOf(await fetch(processor.url + COMPRESS), 405);
    await reasonOf(await fetch(`${processor.url}/health`, { method: "DELETE" }), 405);
  });

  it("The processor answers 400 to an invalid path", async () => {
    const socket = connect(Number(new URL(processor.url).port), "127.0.0.1");
    socket.end("GET // HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("The processor answers 400 to an empty body", async () => {
    expect(await reasonOf(await processor.post(COMPRESS, Buffer.alloc(0)), 400)).toMatch(/empty/);
  });

  it("The processor answers 413 to a body that is too large, announced or not", async () => {
    const body = Buffer.alloc(MAX_IMAGE_BYTES + 1);
    await reasonOf(await processor.post(COMPRESS, body), 413);
    const stream = new Blob([body]).stream() as unknown as ReadableStream;
    const chunked = { method: "POST", body: stream, duplex: "half" } as RequestInit;
    await reasonOf(await fetch(processor.url + COMPRESS, chunked), 413);
  });

  it("The processor leaves no temporary files after any result of a request", async () => {
    await processor.compressed("image/webp", picture);
    await processor.reasonToKeep("image/webp", Buffer.from("nothing"));
    expect(await processor.listFiles()).toEqual([]);
  });

  it("The processor ends a compression whose client has disconnected", async () => {
    const gone = new AbortController();
    const request = processor.post(COMPRESS, slowPicture, { signal: gone.signal });
    await processor.untilChildren(1);
    gone.abort();
    await expect(request).rejects.toThrow();
    await processor.untilChildren(0, 1000);
    expect(await processor.listFiles()).toEqual([]);
  });

  it("The processor runs one compression at a time, queues the configured number, and answers 503 to the next", async () => {
    const gone = new AbortController();
    const slow = processor.post(COMPRESS, slowPicture, { signal: gone.signal });
    await processor.untilChildren(1);
    const waiting = processor.compress("image/webp", 65, picture);
    await expect
      .poll(async () => (await fetch(`${processor.url}/health`)).json())
      .toMatchObject({
        compressions: { running: 1, waiting: 1 },
      });
    const refused = await processor.compress("image/webp", 65, picture);
    expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await reasonOf(refused, 503)).toMatch(/waiting/);
    expect(await processor.countChildren()).toBe(1);
    gone.abort();
    await expect(slow).rejects.toThrow();
    expect((await waiting).status).toBe(200);
  });
});

describe("end of a processor", () => {
  it("A processor that ends stops its children at once", async () => {
    await using other = await Processor.start();
    const request = other.post(COMPRESS, slowPicture).catch(() => "broken off");
    await other.untilChildren(1);
    const { exitCode, seconds } = await other.stop();
    expect(exitCode).toBe(0);
    expect(seconds).toBeLessThan(4);
    expect(await request).toBe("broken off");
    expect(await other.listFiles()).toEqual([]);
  });

  it("A processor that takes too long over a compression is ended", async () => {
    await using other = await Processor.start({ COMPRESS_TIMEOUT_SECONDS: "1" });
    expect(await reasonOf(await other.compress("image/webp", 65, slowPicture), 504)).toMatch(/too long/);
    expect(await other.countChildren()).toBe(0);
  });
});

describe("unread answers", () => {
  const COMPRESSED_AT_LEAST = 8_000_000;
  /** Noise takes a codec longest, and a busy machine more than a minute. */
  const PATIENT = { COMPRESS_TIMEOUT_SECONDS: "240" };
  /** Large once compressed, too. */
  let noise: Buffer;

  beforeAll(async () => {
    const [width, height] = [1700, 1700];
    const raw = { width, height, channels: 3 as const };
    const picture = sharp(randomBytes(3 * width * height), { raw });
    const file = await picture.webp({ lossless: true, effort: 0 }).toBuffer();
    // The dropped chunk makes the result the smaller file.
    noise = Buffer.from(riff("WEBP", file.subarray(12), chunk("JUNK", new Uint8Array(500_000))));
  });

  /** An answer whose headers are read, but not its body. */
  async function unread(from: Processor, signal?: AbortSignal): Promise<Response> {
    const response = await from.post(COMPRESS, noise, { signal: signal ?? null });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get("Content-Length"))).toBeGreaterThan(COMPRESSED_AT_LEAST);
    return response;
  }

  it("An unread answer blocks no other request", async () => {
    await using other = await Processor.start(PATIENT);
    const response = await unread(other);
    expect((await other.compressed("image/webp", picture)).width).toBe(60);
    expect(await other.listFiles()).toEqual([]);
    expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get("Content-Length")));
  });

  it("Unread answers are limited: the next request is refused until one of them has ended", async () => {
    await using other = await Processor.start({ ...PATIENT, MAX_ANSWERS: "1" });
    const gone = new AbortController();
    const response = await unread(other, gone.signal);
    const refused = await other.compress("image/webp", 65, picture);
    expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
    await reasonOf(refused, 503);
    // A garbage-collected answer would be cancelled.
    expect(response.bodyUsed).toBe(false);
    gone.abort();
    await expect
      .poll(async () => (await other.compress("image/webp", 65, picture)).status, { timeout: 20_000 })
      .toBe(200);
  });

  it("An unread answer is ended after a while", async () => {
    await using other = await Processor.start({ ...PATIENT, MAX_ANSWERS: "1", ANSWER_TIMEOUT_SECONDS: "1" });
    const response = await unread(other);
    await expect
      .poll(async () => (await other.compress("image/webp", 65, picture)).status, { timeout: 20_000 })
      .toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect((await other.compressed("image/webp", picture)).width).toBe(60);
  });
});
