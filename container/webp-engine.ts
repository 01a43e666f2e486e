import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { makeLibwebpEngine } from "../src/media/webp/libwebp-engine.ts";
import type { WebpEngine } from "../src/media/webp/webp-engine.ts";

/** The Codec Worker's libwebp, with more pixels. */
export function loadWebpEngine(maxPixels: number): WebpEngine {
  const modules = {
    decoder: compile("@jsquash/webp/codec/dec/webp_dec.wasm"),
    encoder: compile("@jsquash/webp/codec/enc/webp_enc_simd.wasm"),
  };
  return makeLibwebpEngine(modules, { lossy: maxPixels, lossless: maxPixels });
}

function compile(specifier: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve(specifier)));
}
