import sharp, { type Sharp } from "sharp";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isolateMemory } from "../../../src/codecs/isolate-memory.ts";
import { makeVariant } from "../../../src/codecs/make-variant.ts";
import { MAX_PIXELS, maxWebpBytes, webpMemory } from "../../../src/codecs/webp-memory.ts";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { parseVariant } from "../../../src/domain/variants/parse-variant.ts";
import { variantFor } from "../../../src/domain/variants/variant.ts";
import { compressWebp } from "../../../src/media/webp/compress-webp.ts";
import { BOUNDED_MS } from "../../support/bounded-time.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";
import { CountedFile } from "../../support/previews/counted-file.ts";
import { webpEngine } from "../../support/previews/engines.ts";

vi.mock("../../../src/codecs/picture/picture-engines.ts", async () =>
  (await import("../../support/previews/engines.ts")).previewEngines(),
);
// A new engine for each picture, so that no instance is kept.
vi.mock("../../../src/codecs/libwebp.ts", async () => {
  const { webpEngine } = await import("../../support/previews/engines.ts");
  const open = async () => (await webpEngine()).webpEngine;
  return {
    webpEngine: {
      decode: async (...args: [never]) => (await open()).decode(...args),
      encode: async (...args: [never, never]) => (await open()).encode(...args),
    },
  };
});

// An isolate has 128 MB. The largest pictures of noise are the worst case.

const INSTANCE_BYTES = 16 * 1024 * 1024;
const LARGEST = Math.floor(Math.sqrt(MAX_PIXELS.lossy));
const LARGEST_LOSSLESS = Math.floor(Math.sqrt(MAX_PIXELS.lossless));

function noise(side: number, channels: 3 | 4) {
  const random = seededRandom(5);
  const raw = Buffer.alloc(side * side * channels);
  for (let at = 0; at + 4 <= raw.length; at += 4) raw.writeUInt32LE(Math.floor(random() * 2 ** 32), at);
  return sharp(raw, { raw: { width: side, height: side, channels } });
}

let instances: WebAssembly.Memory[];

beforeEach(() => {
  instances = [];
  const { Instance } = WebAssembly;
  vi.spyOn(WebAssembly, "Instance").mockImplementation(function open(module, imports) {
    const instance = new Instance(module, imports);
    instances.push(...Object.values(instance.exports).filter((item) => item instanceof WebAssembly.Memory));
    return instance;
  });
});
afterEach(() => vi.restoreAllMocks());

/** The memory that a compression has taken: both instances, the pixels, the file and the result. */
async function compress(file: Buffer, pixels: number, quality: number) {
  const { webpEngine: engine } = await webpEngine();
  const memory = webpMemory(pixels, file.length, quality);
  const result = await compressWebp({ ...engine, maxPixels: MAX_PIXELS }, new Uint8Array(file), quality, memory);
  const resultBytes = result.outcome === "compressed" ? (result.pieces[0]?.length ?? 0) : 0;
  const instanceBytes = instances.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  const encoderBytes = instances.length === 2 ? INSTANCE_BYTES : 0;
  return { result, memory, tookBytes: instanceBytes - encoderBytes + 4 * pixels + file.length + resultBytes };
}

/** Makes a WebP variant, and measures the lease and the memory that it has taken: engines, the file, the pixels and the result. */
async function makeWebp(type: MediaType, file: Buffer, query: string) {
  const parsed = parseVariant(query);
  if (parsed === undefined || "errors" in parsed) throw new Error(query);
  const variant = variantFor(parsed.request, { sourceType: type, accepted: { webp: false, avif: false } });
  const open = isolateMemory.open.bind(isolateMemory);
  let leasedBytes = 0;
  vi.spyOn(isolateMemory, "open").mockImplementation((maxBytes) => {
    const lease = open(maxBytes);
    const growTo = lease.growTo.bind(lease);
    return Object.assign(lease, {
      growTo: async (bytes: number, maxWaitMs: number) => {
        const isGranted = await growTo(bytes, maxWaitMs);
        leasedBytes = Math.max(leasedBytes, lease.bytes);
        return isGranted;
      },
    });
  });
  const answer = await makeVariant({ type, sizeBytes: file.length, variant }, new CountedFile(file).open());
  const bytes = answer.outcome === "made" ? answer.bytes : new Uint8Array();
  const { width = 0, height = 0 } = answer.outcome === "made" ? await sharp(bytes).metadata() : {};
  const instanceBytes = instances.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  const tookBytes = instanceBytes - INSTANCE_BYTES + file.length + 4 * width * height + bytes.length;
  return { outcome: answer.outcome, pixels: width * height, leasedBytes, tookBytes };
}

describe("memory of a WebP variant", () => {
  const side = 1449;

  it.each<[string, MediaType, number, number, string, (source: Sharp) => Sharp]>([
    ["PNG", "image/png", side, 3, "fm=webp&q=100", (source) => source.png({ compressionLevel: 0 })],
    ["JPEG", "image/jpeg", LARGEST, 3, "fm=webp&q=100", (source) => source.jpeg({ quality: 70 })],
    ["JPEG", "image/jpeg", LARGEST, 3, "fm=webp&blur=20", (source) => source.jpeg({ quality: 70 })],
    ["lossy WebP", "image/webp", side, 3, "q=100", (source) => source.webp({ quality: 60, effort: 0 })],
    ["PNG with alpha", "image/png", 1000, 4, "fm=webp&q=100", (source) => source.png({ compressionLevel: 0 })],
    ["lossless WebP", "image/webp", 1000, 4, "q=75", (source) => source.webp({ lossless: true, effort: 0 })],
  ])("Noise of a %s (%s) of %i pixels with %i channels takes at most its lease for the query %s", async (...row) => {
    const [, type, width, channels, query, as] = row;
    const file = await as(noise(width, channels as 3 | 4)).toBuffer();
    const { outcome, pixels, leasedBytes, tookBytes } = await makeWebp(type, file, query);
    expect([outcome, pixels]).toEqual(["made", width ** 2]);
    expect(tookBytes).toBeLessThanOrEqual(leasedBytes);
    expect(leasedBytes).toBeLessThanOrEqual(isolateMemory.totalBytes);
  });

  it.each<[string, number, 3 | 4, (source: Sharp) => Sharp, MediaType]>([
    ["alpha", side, 4, (source) => source.png({ compressionLevel: 0 }), "image/png"],
    ["a lossless WebP", LARGEST, 3, (source) => source.webp({ lossless: true, effort: 0 }), "image/webp"],
  ])("Noise of %s (%i pixels) that needs more memory than there is goes to the media processor", async (...row) => {
    const [, width, channels, as, type] = row;
    const file = await as(noise(width, channels)).toBuffer();
    const began = performance.now();
    const { outcome, tookBytes } = await makeWebp(type, file, "fm=webp");
    expect(outcome).toBe("too-large");
    expect(performance.now() - began).toBeLessThan(BOUNDED_MS);
    expect(tookBytes).toBeLessThanOrEqual(isolateMemory.totalBytes);
    expect(isolateMemory.freeBytes).toBe(isolateMemory.totalBytes);
  });
});

describe("memory of a WebP compression", () => {
  it.each([
    [4, 65],
    [4, 100],
    [40, 50],
  ])("Noise of 4 megapixels stored at quality %i takes at most the leased memory at quality %i", async (from, to) => {
    const file = await noise(LARGEST, 3).webp({ quality: from, effort: 0 }).toBuffer();
    const { memory, tookBytes } = await compress(file, LARGEST ** 2, to);
    expect(tookBytes).toBeLessThanOrEqual(memory.heldBytes);
    expect(instances.length).toBe(2);
  });

  it("Lossless noise of 1 megapixel with alpha takes at most the leased memory", async () => {
    const file = await noise(LARGEST_LOSSLESS, 4).webp({ lossless: true, effort: 0 }).toBuffer();
    const { result, memory, tookBytes } = await compress(file, LARGEST_LOSSLESS ** 2, 65);
    expect(tookBytes).toBeLessThanOrEqual(memory.heldBytes);
    expect(result.outcome).not.toBe("too-large");
  });

  it("A photo of 4 megapixels is compressed within the budget of the isolate", async () => {
    const soft = noise(64, 3).resize(LARGEST, LARGEST, { kernel: "cubic" });
    const file = await soft.webp({ quality: 90, effort: 0 }).toBuffer();
    const { result, memory, tookBytes } = await compress(file, LARGEST ** 2, 65);
    expect(result.outcome).toBe("compressed");
    expect(tookBytes).toBeLessThanOrEqual(memory.heldBytes);
    expect(memory.heldBytes).toBeLessThanOrEqual(isolateMemory.totalBytes);
  });

  it("A picture with alpha of more than 1 megapixel is for the Container, without being decoded", async () => {
    const side = LARGEST_LOSSLESS + 10;
    const file = await noise(16, 4).resize(side, side).webp({ quality: 50, effort: 0 }).toBuffer();
    const { result } = await compress(file, side ** 2, 65);
    expect(result).toEqual({ outcome: "too-large" });
    expect(instances).toEqual([]);
  });

  it("The memory of any size of picture is at most the largest lease of its file", () => {
    for (const sizeBytes of [1000, 300_000, 3_000_000]) {
      for (let pixels = 1000; pixels <= MAX_PIXELS.lossy; pixels += 9001) {
        expect(webpMemory(pixels, sizeBytes, 65).heldBytes).toBeLessThanOrEqual(maxWebpBytes(sizeBytes, 65));
      }
    }
  });
});
