import type { CodecTools } from "../codec-tools.ts";
import { type Compression, kept } from "../compression.ts";
import { MAX_PIXELS } from "../png/compress-png.ts";
import type { ReadSource } from "../png/engine.ts";
import { PNG_SIGNATURE, pngChunk, pngChunkPieces } from "../png/png-chunks.ts";
import { headerData, type Pass } from "../png/png-header.ts";
import { rewritePicture } from "../png/rewrite-picture.ts";
import { GIF_FORM } from "../png/source-picture.ts";
import { type GifFrame, readGifBlocks } from "./gif-blocks.ts";
import { gifSize } from "./gif-size.ts";

const OPAQUE = 0xff;

/** First row and step of each pass (GIF89a, appendix E). */
const PASSES = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const;
const TOP_DOWN = [[0, 1]] as const;

/**
 * A GIF of one picture becomes a PNG of the pixels that browsers show: nothing is painted outside the frame, whatever the
 * background colour, and nothing of the transparent colour. Memory is the file, the result and less than 24 MB.
 *
 * A file stays as it is where it is animated, where it has no trailer, as a second picture may be missing, where its data does
 * not tell every pixel or tells colours that there are not, and where viewers differ in what they show.
 * @throws WebAssembly.RuntimeError where the engine fails, which is no fault of the file
 */
export async function compressGif(file: Uint8Array<ArrayBuffer>, tools: CodecTools): Promise<Compression> {
  const { frames, complete, hasSoundControls } = readGifBlocks(file, 2);
  const [frame, second] = frames;
  if (second !== undefined) return kept("Animated");
  if (!complete || !hasSoundControls || frame === undefined) return kept("Damaged");
  const size = gifSize(file, frame);
  if (size.width * size.height > MAX_PIXELS) return kept("Too large");
  const source = {
    ...size,
    colourType: GIF_FORM,
    bitDepth: 8,
    isInterlaced: false,
    passes: passesOf(frame),
    colours: rgbaOf(frame),
    key: undefined,
    hasProfile: false,
    read: readerFrom(file.subarray(frame.dataAt)),
  };
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

function passesOf({ left, top, width, height, isInterlaced }: GifFrame): Pass[] {
  return (isInterlaced ? PASSES : TOP_DOWN)
    .map(([first, dy]) => ({
      ...{ left, top: top + first, dx: 1, dy, columns: width },
      rows: Math.ceil(Math.max(0, height - first) / dy),
    }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0);
}

/** Red, green, blue and alpha of each index. */
function rgbaOf({ colourTable, transparent }: GifFrame): Uint8Array {
  const colours = new Uint8Array((colourTable.length / 3) * 4);
  for (let from = 0, to = 0; from < colourTable.length; from += 3, to += 4) {
    colours.set(colourTable.subarray(from, from + 3), to);
    colours[to + 3] = OPAQUE;
  }
  if (transparent !== undefined) colours.fill(0, 4 * transparent, 4 * transparent + 4);
  return colours;
}

function readerFrom(data: Uint8Array<ArrayBuffer>): ReadSource {
  return (position, target) => {
    const part = data.subarray(position, position + target.length);
    target.set(part);
    return part.length;
  };
}
