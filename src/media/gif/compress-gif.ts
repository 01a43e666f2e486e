import { decodeFrame } from "modern-gif";
import { encodePng } from "../codecs.ts";
import { type Compression, kept } from "../compression.ts";
import { readGifDimensions } from "../dimensions/gif.ts";
import { readGifBlocks } from "./gif-blocks.ts";
import { hasSoundData } from "./sound-lzw.ts";

/** The decoder takes 12 bytes for each, and the encoder up to 44. */
export const MAX_PIXELS = 1_500_000;
const LEVEL = 2;

/** A GIF of one picture becomes a PNG of the same pixels. */
export async function compressGif(file: Uint8Array<ArrayBuffer>): Promise<Compression> {
  const { frames, complete } = readGifBlocks(file, 2);
  const [frame, second] = frames;
  if (second !== undefined) return kept("Animated");
  const screen = readGifDimensions(new DataView(file.buffer, file.byteOffset, file.byteLength));
  if (!complete || frame === undefined || screen === undefined) return kept("Damaged");
  // Viewers differ in what they show of a picture that does not fit its screen.
  if (frame.left + frame.width > screen.width || frame.top + frame.height > screen.height) return kept("Damaged");
  if (screen.width * screen.height > MAX_PIXELS) return { outcome: "too-large" };
  if (!hasSoundData(file, frame)) return kept("Damaged");
  try {
    const { data, width, height } = decodeFrame(file, 0);
    const bytes = await encodePng({ data: data as Uint8ClampedArray<ArrayBuffer>, width, height }, LEVEL);
    return bytes.length < file.length
      ? { outcome: "compressed", type: "image/png", bytes }
      : kept("Nothing to be saved");
  } catch {
    return kept("Damaged");
  }
}
