import type { CodecTools } from "../codec-tools.ts";
import { type Compression, kept } from "../compression.ts";
import { MAX_PIXELS } from "../png/compress-png.ts";
import { PNG_SIGNATURE, pngChunk, pngChunkPieces } from "../png/png-chunks.ts";
import { headerData } from "../png/png-header.ts";
import { rewritePicture } from "../png/rewrite-picture.ts";
import { readGifBlocks } from "./gif-blocks.ts";
import { gifSourceOf } from "./gif-source.ts";

/**
 * Turns a GIF with one picture into a PNG of the pixels that browsers show: the area outside the frame, even with a background colour, and
 * pixels of the transparent colour are transparent. Memory is the file, the result and less than 24 MB.
 *
 * The file stays as it is if it is animated, if its trailer is missing (a second picture may be cut off), if its data lacks pixels or uses
 * undefined colours, or if viewers would show it differently.
 * @throws WebAssembly.RuntimeError if the engine fails, which is not the file's fault
 */
export async function compressGif(file: Uint8Array<ArrayBuffer>, tools: CodecTools): Promise<Compression> {
  const { frames, complete, hasSoundControls } = readGifBlocks(file, 2);
  const [frame, second] = frames;
  if (second !== undefined) return kept("Animated");
  if (!complete || !hasSoundControls || frame === undefined) return kept("Damaged");
  const source = gifSourceOf(file, frame);
  if (source.width * source.height > MAX_PIXELS) return kept("Too large");
  const result = await rewritePicture(source, tools, file.length);
  if (result === "damaged") return kept("Damaged");
  if (result === "larger" || result.form === undefined) return kept("Nothing to be saved");
  const pieces = [
    PNG_SIGNATURE,
    pngChunk("IHDR", headerData(result.form.header)),
    ...result.form.chunks,
    ...pngChunkPieces("IDAT", result.data),
    pngChunk("IEND", new Uint8Array()),
  ];
  const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0);
  return sizeBytes < file.length ? { outcome: "compressed", type: "image/png", pieces } : kept("Nothing to be saved");
}
