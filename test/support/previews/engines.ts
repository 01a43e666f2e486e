import { readFile } from "node:fs/promises";
import { makeLibwebpEngine } from "../../../src/media/webp/libwebp-engine.ts";

/** Workers have no such function, so their types lack it. */
const { compile } = WebAssembly as unknown as { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
const load = async (path: string) => compile(await readFile(path));

/** The Codec Worker's modules, for vitest's `vi.mock`: outside of workerd a module is compiled from its file. */
export async function previewEngines() {
  return {
    PICTURE_ENGINES: {
      jpegDecoder: await load("node_modules/@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm"),
      pngDecoder: await load("node_modules/@jsquash/png/codec/pkg/squoosh_png_bg.wasm"),
      jpegEngine: await load("src/media/jpeg/engine/jpeg-engine.wasm"),
      pngEngine: await load("src/media/png/engine/png-engine.wasm"),
      resampler: await load("src/media/resample/engine/resample-engine.wasm"),
    },
  };
}

export async function webpEngine() {
  const decoder = await load("node_modules/@jsquash/webp/codec/dec/webp_dec.wasm");
  const encoder = await load("node_modules/@jsquash/webp/codec/enc/webp_enc_simd.wasm");
  return { webpEngine: makeLibwebpEngine({ decoder, encoder }, { lossy: 250_000, lossless: 20_000 }) };
}
