import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compressWebp } from "../src/media/webp/compress-webp.ts";
import { makeLibwebpEngine } from "../src/media/webp/libwebp-engine.ts";
import { readWebpHead } from "../src/media/webp/read-webp-head.ts";
import type { WebpEngine } from "../src/media/webp/webp-engine.ts";
import type { ImageOutcome } from "./image-job.ts";
import { readSource, writeResult } from "./job-files.ts";

/**
 * One compression in a process of its own: it can be stopped, its memory is bounded, and a crash of the codec ends only this job. `node
 * compress-job.ts <quality> <max pixels>` reads the WebP from descriptor 3, writes the result to descriptor 4, and the outcome (JSON) to
 * standard output. If the outcome has a reason, the image stays as it is.
 */

async function run(): Promise<ImageOutcome> {
  const [quality, maxPixels] = process.argv.slice(2).map(Number);
  const file = readSource();
  const result = await compressWebp(loadWebpEngine(maxPixels ?? 0), file, quality ?? 0);
  switch (result.outcome) {
    case "compressed": {
      // COMP-3: width and height never change.
      const { width, height } = readWebpHead(file);
      const sizeBytes = result.pieces.reduce((sum, piece) => sum + piece.length, 0);
      writeResult(result.pieces);
      return { contentType: "image/webp", width, height, sizeBytes };
    }
    case "kept":
      return { reason: result.reason };
    case "too-large":
      return { reason: "Too many pixels" };
  }
}

/** The Codec Worker's libwebp, with a larger pixel limit. */
function loadWebpEngine(maxPixels: number): WebpEngine {
  const modules = {
    decoder: compile("@jsquash/webp/codec/dec/webp_dec.wasm"),
    encoder: compile("@jsquash/webp/codec/enc/webp_enc_simd.wasm"),
  };
  return makeLibwebpEngine(modules, { lossy: maxPixels, lossless: maxPixels });
}

function compile(specifier: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve(specifier)));
}

process.stdout.write(JSON.stringify(await run()));
