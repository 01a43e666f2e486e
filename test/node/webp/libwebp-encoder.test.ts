import type { EncodeOptions } from "@jsquash/webp/codec/enc/webp_enc.js";
import createEncoder from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import { defaultOptions } from "@jsquash/webp/meta.js";
import sharp from "sharp";
import { expect, it } from "vitest";
import { LibwebpEncoder } from "../../../src/media/webp/libwebp-encoder.ts";
import { MemoryBound } from "../../../src/media/webp/memory-bound.ts";
import { withModule } from "../../../src/media/with-module.ts";
import { readModule } from "../../support/codecs/read-module.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";

// The encoder calls the module by its C++ interface, which another version of the package may change.

const [width, height] = [301, 203];
const module = await readModule("node_modules/@jsquash/webp/codec/enc/webp_enc_simd.wasm");

/** Blurred noise; a quarter of its pixels is transparent. */
async function picture(): Promise<Uint8ClampedArray<ArrayBuffer>> {
  const random = seededRandom(7);
  const raw = Uint8Array.from({ length: width * height * 4 }, (_, at) => ((at & 3) === 3 ? 255 : random() * 256));
  const options = { raw: { width, height, channels: 4 as const } };
  const data = new Uint8ClampedArray(await sharp(raw, options).blur(2).raw().toBuffer());
  for (let at = 3; at < data.length / 4; at += 4) data[at] = at & 255;
  return data;
}

const CASES: readonly Partial<EncodeOptions>[] = [
  {},
  { quality: 65.5, method: 5 },
  { lossless: 1, exact: 1 },
  { low_memory: 1, method: 1 },
  { use_sharp_yuv: 1, alpha_quality: 30 },
  { target_PSNR: 38.5, pass: 3 },
  { target_size: 9000, pass: 4, partitions: 2 },
  { lossless: 1, near_lossless: 60 },
  { filter_strength: 10, filter_sharpness: 3, filter_type: 0, segments: 2, sns_strength: 80 },
];

it.each(CASES)("The WebP encoder writes the same bytes as the package's own JavaScript with %j", async (changed) => {
  const data = await picture();
  const options = { ...defaultOptions, ...changed };
  const own = await createEncoder(withModule(module));
  const expected = own.encode(data, width, height, options);
  const encoder = new LibwebpEncoder(module, new MemoryBound());
  for (let round = 0; round < 2; round++) {
    const encoded = encoder.encode(data, { width, height }, options);
    expect(Buffer.from(encoded ?? [])).toEqual(Buffer.from(expected ?? []));
  }
  expect(expected?.length).toBeGreaterThan(1000);
});

it("The WebP encoder returns null for settings that libwebp refuses", async () => {
  const encoder = new LibwebpEncoder(module, new MemoryBound());
  expect(encoder.encode(await picture(), { width, height }, { ...defaultOptions, method: 7 })).toBeNull();
});

it("The WebP encoder ends with an error of memory if its memory may not grow", () => {
  const bound = new MemoryBound();
  const encoder = new LibwebpEncoder(module, bound);
  const size = { width: 3000, height: 3000 };
  const call = () => encoder.encode(new Uint8Array(4 * size.width * size.height), size, defaultOptions);
  expect(() => bound.call(0, call)).toThrow("The engine's memory is used up");
});
