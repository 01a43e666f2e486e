import { env } from "cloudflare:workers";
import { deflateSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import type { Codecs } from "../../src/codecs/worker.ts";
import { PNG_SIGNATURE, pngChunk } from "../../src/media/png/png-chunks.ts";
import type { ImageToCompress } from "../../src/processor/compression.ts";
import { MediaProcessor } from "../../src/processor/media-processor.ts";
import { photoWithComment } from "../support/codecs/photo.ts";

// The Codec Worker is reached by one RPC session per request, as the platform allows a request 32 invocations of other Workers.

const { CODECS, COUNTED } = env as unknown as { CODECS: Service<typeof Codecs>; COUNTED: Fetcher };
const PHOTO = photoWithComment();
const QUALITY = 65;

interface Counts {
  readonly invocations: number;
  readonly freeBytes: number;
}

async function readCounts(): Promise<Counts> {
  return (await COUNTED.fetch("http://codecs/")).json<Counts>();
}

/** The requests to the Container; it answers with 100 bytes. */
const sent: { path: string; body: Uint8Array }[] = [];

function openSession() {
  const send = async (path: string, makeRequest: () => RequestInit | Promise<RequestInit>) => {
    const request = new Request(`http://container${path}`, await makeRequest());
    sent.push({ path, body: new Uint8Array(await request.arrayBuffer()) });
    return new Response(new Uint8Array(100), { headers: { "Content-Type": "image/webp", "Content-Length": "100" } });
  };
  return new MediaProcessor(send, "", CODECS).openCompression();
}

function photo(bytes = PHOTO): ImageToCompress {
  return {
    type: "image/jpeg",
    quality: QUALITY,
    sizeBytes: bytes.length,
    open: async () => new Blob([bytes]).stream(),
  };
}

/** A lossless WebP whose head declares these pixels. */
function webp(width: number, height: number): ImageToCompress {
  const bytes = new Uint8Array(400_000);
  const view = new DataView(bytes.buffer);
  const text = (at: number, value: string) => bytes.set(new TextEncoder().encode(value), at);
  text(0, "RIFF");
  view.setUint32(4, bytes.length - 8, true);
  text(8, "WEBPVP8L");
  view.setUint32(16, bytes.length - 20, true);
  view.setUint8(20, 0x2f);
  view.setUint32(21, (width - 1) | ((height - 1) << 14), true);
  return {
    type: "image/webp",
    quality: QUALITY,
    sizeBytes: bytes.length,
    open: async () => new Blob([bytes]).stream(),
  };
}

/** A gray PNG of 64 rows that is not packed. @param colours its gAMA chunk */
function png(colours: Uint8Array<ArrayBuffer>): ImageToCompress {
  const header = Uint8Array.of(0, 0, 0, 63, 0, 0, 0, 64, 8, 0, 0, 0, 0);
  const rows = deflateSync(
    Uint8Array.from({ length: 64 * 64 }, (_, at) => (at % 64 === 0 ? 0 : at >> 6)),
    { level: 0 },
  );
  const chunks = [pngChunk("IHDR", header), colours, pngChunk("IDAT", rows), pngChunk("IEND", new Uint8Array())];
  const file = new Blob([PNG_SIGNATURE, ...chunks]);
  return { type: "image/png", quality: QUALITY, sizeBytes: file.size, open: async () => file.stream() };
}

/** A WebP of four megapixels at quality 95 that is like a photo. */
async function largeWebp(): Promise<ImageToCompress> {
  const bytes = new Uint8Array(await (await COUNTED.fetch("http://codecs/webp")).arrayBuffer());
  return {
    type: "image/webp",
    quality: QUALITY,
    sizeBytes: bytes.length,
    open: async () => new Blob([bytes]).stream(),
  };
}

beforeEach(() => {
  sent.length = 0;
});

describe("Codec sessions", () => {
  it("A session of fifty images is one invocation", async () => {
    const before = await readCounts();
    using session = openSession();
    const images = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const image = await session.compress(photo());
        return image && { ...image, bytes: new Uint8Array(await new Response(image.body).arrayBuffer()) };
      }),
    );
    expect((await readCounts()).invocations).toBe(before.invocations + 1);
    for (const image of images) {
      expect(image).toMatchObject({ type: "image/jpeg" });
      expect(image?.bytes.length).toBe(image?.sizeBytes);
      expect(image?.bytes).toEqual(images[0]?.bytes);
      expect([...(image?.bytes.subarray(0, 2) ?? [])]).toEqual([0xff, 0xd8]);
    }
  });

  it("A session is not opened if no image needs it", async () => {
    const before = await readCounts();
    using session = openSession();
    const tooLarge = { ...photo(), sizeBytes: 32 * 1024 * 1024 + 1 };
    expect(await session.compress(tooLarge)).toBeUndefined();
    expect(await session.compress({ ...photo(), type: "video/mp4" })).toBeUndefined();
    expect((await readCounts()).invocations).toBe(before.invocations);
  });

  it("A session releases all memory if results are read, cancelled or absent", async () => {
    const { freeBytes } = await readCounts();
    using session = openSession();
    for (let round = 0; round < 20; round++) {
      const image = await session.compress(photo());
      if (round % 2 === 0) await image?.body.cancel();
      else await new Response(image?.body).arrayBuffer();
      expect(await session.compress(photo(PHOTO.subarray(0, 1000)))).toBeUndefined();
    }
    await expect.poll(async () => (await readCounts()).freeBytes).toBe(freeBytes);
  });

  it("A session keeps a PNG's chunks of colours, although the file is freed before the result is read", async () => {
    const colours = pngChunk("gAMA", Uint8Array.of(0, 0, 0xb1, 0x8f));
    using session = openSession();
    const image = await session.compress(png(colours));
    const bytes = Buffer.from(await new Response(image?.body).arrayBuffer());
    expect(bytes.length).toBe(image?.sizeBytes);
    expect(bytes.includes(colours)).toBe(true);
    expect(bytes.subarray(-8, -4).toString()).toBe("IEND");
  });

  it("A session continues after an image whose bytes break off", async () => {
    const { freeBytes } = await readCounts();
    using session = openSession();
    await expect(session.compress({ ...photo(), sizeBytes: PHOTO.length + 1 })).rejects.toThrow();
    const image = await session.compress(photo());
    expect(image?.sizeBytes).toBeLessThan(1000);
    await image?.body.cancel();
    await expect.poll(async () => (await readCounts()).freeBytes).toBe(freeBytes);
  });

  it("A session forwards an image too large for an isolate, whole and from its first byte", async () => {
    using session = openSession();
    const image = webp(1300, 1000);
    expect(await session.compress(image)).toMatchObject({ type: "image/webp", sizeBytes: 100 });
    const whole = new Uint8Array(await new Response(await image.open()).arrayBuffer());
    expect(sent).toEqual([{ path: "/compress?type=image%2Fwebp&quality=65", body: whole }]);
  });

  it("A session keeps an image too large for an isolate if there is no Container", async () => {
    using session = new MediaProcessor(undefined, "", CODECS).openCompression();
    expect(await session.compress(webp(1300, 1000))).toBeUndefined();
    const image = await session.compress(photo());
    expect(image?.sizeBytes).toBeLessThan(PHOTO.length);
    await image?.body.cancel();
  });

  it("WebPs of four megapixels are compressed without a Container, and smaller images beside them", async () => {
    const { freeBytes } = await readCounts();
    const large = await largeWebp();
    const { sizeBytes } = large;
    using session = new MediaProcessor(undefined, "", CODECS).openCompression();
    const images = await Promise.all([large, photo(), large, photo()].map((image) => session.compress(image)));
    for (const image of images) await image?.body.cancel();
    const most = [sizeBytes, PHOTO.length, sizeBytes, PHOTO.length];
    expect(images.map((image, i) => (image?.sizeBytes ?? Infinity) < (most[i] ?? 0))).toEqual([true, true, true, true]);
    await expect.poll(async () => (await readCounts()).freeBytes).toBe(freeBytes);
  });

  it("A session keeps a small damaged image, and forwards nothing", async () => {
    using session = openSession();
    expect(await session.compress(webp(40, 30))).toBeUndefined();
    expect(sent).toEqual([]);
  });
});
