import { loadPngEngine } from "../codecs.ts";
import { type Compression, kept } from "../compression.ts";
import { readGifDimensions } from "../dimensions/gif.ts";
import { encodePng } from "../png/encode-png.ts";
import { PngEngine } from "../png/engine.ts";
import { RGB_ALPHA } from "../png/png-header.ts";
import { decodeLzw } from "./decode-lzw.ts";
import { readGifBlocks } from "./gif-blocks.ts";
import { paintScreen } from "./paint-screen.ts";

/** The decoder and the encoder take some 22 bytes for each. */
export const MAX_PIXELS = 2_000_000;

/**
 * A GIF of one picture becomes a PNG of the same pixels: those of the one frame that is checked here.
 * @throws WebAssembly.RuntimeError where the encoder fails, which is no fault of the file
 */
export async function compressGif(file: Uint8Array<ArrayBuffer>): Promise<Compression> {
  const { frames, complete, hasSoundControls } = readGifBlocks(file, 2);
  const [frame, second] = frames;
  if (second !== undefined) return kept("Animated");
  const screen = readGifDimensions(new DataView(file.buffer, file.byteOffset, file.byteLength));
  if (!complete || !hasSoundControls || frame === undefined || screen === undefined) return kept("Damaged");
  // Viewers differ in what they show of a picture that does not fit its screen.
  if (frame.left + frame.width > screen.width || frame.top + frame.height > screen.height) return kept("Damaged");
  if (screen.width * screen.height > MAX_PIXELS) return { outcome: "too-large" };
  const indices = decodeLzw(file, frame);
  if (indices === undefined) return kept("Damaged");
  const header = { ...screen, bitDepth: 8, colourType: RGB_ALPHA, isInterlaced: false };
  const picture = { header, bytes: paintScreen(screen, frame, indices) };
  const module = await loadPngEngine();
  const bytes = PngEngine.use(module, (engine) => encodePng(engine, picture));
  return bytes.length < file.length ? { outcome: "compressed", type: "image/png", bytes } : kept("Nothing to be saved");
}
