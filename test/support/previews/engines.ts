import { makeLibwebpEngine } from "../../../src/media/webp/libwebp-engine.ts";
import { readModule } from "../codecs/read-module.ts";

/** The Codec Worker's modules, for vitest's `vi.mock`: outside of workerd a module is compiled from its file. */
export async function previewEngines() {
  return {
    PICTURE_ENGINES: {
      jpegDecoder: await readModule("node_modules/@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm"),
      pngDecoder: await readModule("node_modules/@jsquash/png/codec/pkg/squoosh_png_bg.wasm"),
      jpegEngine: await readModule("src/media/jpeg/engine/jpeg-engine.wasm"),
      pngEngine: await readModule("src/media/png/engine/png-engine.wasm"),
      resampler: await readModule("src/media/resample/engine/resample-engine.wasm"),
    },
  };
}

export async function webpEngine() {
  const decoder = await readModule("node_modules/@jsquash/webp/codec/dec/webp_dec.wasm");
  const encoder = await readModule("node_modules/@jsquash/webp/codec/enc/webp_enc_simd.wasm");
  return { webpEngine: makeLibwebpEngine({ decoder, encoder }, { lossy: 250_000, lossless: 20_000 }) };
}
