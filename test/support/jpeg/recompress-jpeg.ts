import { readFile } from "node:fs/promises";
import { type Recompression, recompressJpeg as recompress } from "../../../src/media/jpeg/recompress-jpeg.ts";

/** Workers have no such function, so their types do not tell of it. */
const { compile } = WebAssembly as unknown as { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
const module = await compile(await readFile("src/media/jpeg/engine/jpeg-engine.wasm"));

/** The recompressor with its engine, outside of workerd. */
export function recompressJpeg(source: Uint8Array, quality: number): Recompression {
  return recompress(module, source as Uint8Array<ArrayBuffer>, quality);
}
