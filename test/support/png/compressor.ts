import type { CodecTools } from "../../../src/media/codec-tools.ts";
import type { Compression } from "../../../src/media/compression.ts";
import { compressGif } from "../../../src/media/gif/compress-gif.ts";
import { compressPng } from "../../../src/media/png/compress-png.ts";
import { readModule } from "../codecs/read-module.ts";

/** The result of the PNG and GIF codecs, as bytes; undefined if the file is kept as it is. */
export interface Compressor {
  png(file: Uint8Array): Promise<Buffer | undefined>;
  gif(file: Uint8Array): Promise<Buffer | undefined>;
}

/** The codecs without a Worker around them. @param yieldIfDue called between steps */
export async function openCompressor(yieldIfDue: CodecTools["yieldIfDue"] = () => undefined): Promise<Compressor> {
  const engine = await readModule("src/media/png/engine/png-engine.wasm");
  const tools = { engine, yieldIfDue };
  return {
    png: async (file) => bytesOf(await compressPng(new Uint8Array(file), tools)),
    gif: async (file) => bytesOf(await compressGif(new Uint8Array(file), tools)),
  };
}

function bytesOf(compression: Compression): Buffer | undefined {
  return compression.outcome === "compressed" ? Buffer.concat(compression.pieces) : undefined;
}
