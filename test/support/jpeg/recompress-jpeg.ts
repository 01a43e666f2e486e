import { readFile } from "node:fs/promises";
import { type Recompression, recompressJpeg as recompress } from "../../../src/media/jpeg/recompress-jpeg.ts";

const module = new WebAssembly.Module(
  await readFile(new URL("../../../src/media/jpeg/engine/engine.wasm", import.meta.url)),
);

/** The recompressor with its engine, outside of workerd. */
export function recompressJpeg(source: Uint8Array, quality: number): Recompression {
  return recompress(module, source as Uint8Array<ArrayBuffer>, quality);
}
