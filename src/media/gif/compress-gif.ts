import { decodeFrame } from "modern-gif";
import { loadPngEngine } from "../codecs.ts";
import { type Compression, kept } from "../compression.ts";
import { readGifDimensions } from "../dimensions/gif.ts";
import { encodePng } from "../png/encode-png.ts";
import { PngEngine } from "../png/engine.ts";
import { RGB_ALPHA } from "../png/png-header.ts";
import { readGifBlocks } from "./gif-blocks.ts";
import { hasSoundData } from "./sound-lzw.ts";

/** The decoder and the encoder take some 35 bytes for each. */
export const MAX_PIXELS = 2_000_000;

/** A GIF of one picture becomes a PNG of the same pixels. @throws WebAssembly.RuntimeError where the encoder fails */
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
  const module = await loadPngEngine();
  try {
    const { data, width, height } = decodeFrame(file, 0);
    const header = { width, height, bitDepth: 8, colourType: RGB_ALPHA, isInterlaced: false };
    const picture = { header, bytes: new Uint8Array(data.buffer, data.byteOffset, data.length) };
    const bytes = PngEngine.use(module, (engine) => encodePng(engine, picture));
    return bytes.length < file.length
      ? { outcome: "compressed", type: "image/png", bytes }
      : kept("Nothing to be saved");
  } catch (error) {
    // The engine's own failure is no fault of the file.
    if (error instanceof WebAssembly.RuntimeError) throw error;
    return kept("Damaged");
  }
}
