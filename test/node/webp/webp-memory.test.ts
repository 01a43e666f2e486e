import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isolateMemory } from "../../../src/codecs/isolate-memory.ts";
import { MAX_PIXELS, maxWebpBytes, webpMemory } from "../../../src/codecs/webp-memory.ts";
import { compressWebp } from "../../../src/media/webp/compress-webp.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";
import { webpEngine } from "../../support/previews/engines.ts";

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
