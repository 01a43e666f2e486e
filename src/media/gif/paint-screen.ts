import type { Dimensions } from "../dimensions.ts";
import type { GifFrame } from "./gif-blocks.ts";

const COLOURS = 256;
const OPAQUE = 255;

/** First row and step of each pass (GIF89a, appendix E). */
const PASSES = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const;
const TOP_DOWN = [[0, 1]] as const;

/**
 * What browsers show of a GIF's only picture: nothing is painted outside the frame, whatever the background colour, and
 * nothing of the transparent colour.
 * @param frame lies within the screen
 * @param indices into the frame's colours, in the order of the file
 * @returns RGBA
 */
export function paintScreen(
  { width, height }: Dimensions,
  frame: GifFrame,
  indices: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const colours = wordsOf(frame);
  const screen = new Uint32Array(width * height);
  let at = 0;
  for (const [first, step] of frame.isInterlaced ? PASSES : TOP_DOWN) {
    for (let y = first; y < frame.height; y += step) {
      const row = (frame.top + y) * width + frame.left;
      for (let x = 0; x < frame.width; x++) screen[row + x] = colours[indices[at++] ?? 0] ?? 0;
    }
  }
  return new Uint8Array(screen.buffer);
}

/** The colours as the four bytes that they are in memory, so that a pixel is painted at once. */
function wordsOf({ colourTable, transparent }: GifFrame): Uint32Array {
  const bytes = new Uint8Array(4 * COLOURS);
  for (let from = 0, to = 0; from < colourTable.length; from += 3, to += 4) {
    bytes.set(colourTable.subarray(from, from + 3), to);
    bytes[to + 3] = OPAQUE;
  }
  if (transparent !== undefined) bytes.fill(0, 4 * transparent, 4 * transparent + 4);
  return new Uint32Array(bytes.buffer);
}
