import { readFile } from "node:fs/promises";
import type { CodecTools } from "../../../src/media/codec-tools.ts";
import type { Compression } from "../../../src/media/compression.ts";
import { compressGif } from "../../../src/media/gif/compress-gif.ts";
import { compressPng } from "../../../src/media/png/compress-png.ts";

/** Workers have no such function, so their types do not tell of it. */
const { compile } = WebAssembly as unknown as { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };

/** What the codecs of PNG and GIF make of a file, as bytes; undefined where it is kept as it is. */
export interface Compressor {
  png(file: Uint8Array): Promise<Buffer | undefined>;
  gif(file: Uint8Array): Promise<Buffer | undefined>;
}

/** The codecs without a Worker around them. @param yieldIfDue called between steps */
export async function openCompressor(yieldIfDue: CodecTools["yieldIfDue"] = () => undefined): Promise<Compressor> {
  const engine = await compile(await readFile("src/media/png/engine/png-engine.wasm"));
  const tools = { engine, yieldIfDue };
  return {
    png: async (file) => bytesOf(await compressPng(new Uint8Array(file), tools)),
    gif: async (file) => bytesOf(await compressGif(new Uint8Array(file), tools)),
  };
}

function bytesOf(compression: Compression): Buffer | undefined {
  return compression.outcome === "compressed" ? Buffer.concat(compression.pieces) : undefined;
}
