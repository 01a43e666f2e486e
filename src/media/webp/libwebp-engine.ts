import createDecoder from "@jsquash/webp/codec/dec/webp_dec.js";
import createEncoder from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import { defaultOptions } from "@jsquash/webp/meta.js";
import { withModule } from "../with-module.ts";
import type { Pixels, WebpEngine } from "./webp-engine.ts";

/** Of a lossless WebP the quality says how hard to try. */
const LOSSLESS_EFFORT = 75;

/** What the memory that an instance begins with has room for, many times over. */
const MAX_KEPT_PIXELS = 250_000;

type Encoder = Awaited<ReturnType<typeof createEncoder>>;

/** libwebp as @jsquash/webp has it, compiled: `webp_dec.wasm` and `webp_enc_simd.wasm`. */
export interface LibwebpModules {
  readonly decoder: WebAssembly.Module;
  readonly encoder: WebAssembly.Module;
}

/**
 * libwebp in WebAssembly. The Codec Worker and the Container use the same one with the same options, so that a file gives
 * the same result wherever it is compressed. An image gets an instance of its own, as an instance's memory never
 * shrinks, and one that trapped may be in any state; but for small images' encoder, which to make takes as long as to use.
 */
export function makeLibwebpEngine(
  { decoder, encoder }: LibwebpModules,
  maxPixels: WebpEngine["maxPixels"],
): WebpEngine {
  let kept: Encoder | undefined;
  return {
    maxPixels,

    async decode(file) {
      const image = (await createDecoder(withModule(decoder))).decode(file);
      return image === null ? undefined : (image as Pixels);
    },

    async encode({ data, width, height }, { quality, lossless, effort = defaultOptions.method }) {
      const options = lossless
        ? { ...defaultOptions, lossless: 1, exact: 1, quality: LOSSLESS_EFFORT }
        : { ...defaultOptions, quality, method: effort };
      const pixels = data as Uint8ClampedArray<ArrayBuffer>;
      const instance = kept ?? (await createEncoder(withModule(encoder)));
      kept = undefined;
      const file = instance.encode(pixels, width, height, options);
      if (width * height <= MAX_KEPT_PIXELS) kept = instance;
      if (file === null) throw new Error("The WebP encoder failed");
      return file as Uint8Array<ArrayBuffer>;
    },
  };
}
