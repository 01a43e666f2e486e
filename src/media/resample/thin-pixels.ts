import type { Pixels } from "../webp/webp-engine.ts";
import type { Size } from "./window.ts";

/** Samples of an edge for each pixel of the result: enough for a blurred picture. */
const SAMPLES = 4;

/** Picks pixels from a picture that is much larger than its result, which is then made of few. */
export function thinPixels(pixels: Pixels, result: Size): Pixels {
  const { data, width, height } = pixels;
  const thin = { width: Math.min(width, SAMPLES * result.width), height: Math.min(height, SAMPLES * result.height) };
  if (thin.width === width && thin.height === height) return pixels;
  const source = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const target = new Uint32Array(thin.width * thin.height);
  const columns = Uint32Array.from({ length: thin.width }, (_, x) => Math.floor(((x + 0.5) * width) / thin.width));
  for (let y = 0, at = 0; y < thin.height; y++) {
    const row = Math.floor(((y + 0.5) * height) / thin.height) * width;
    for (let x = 0; x < thin.width; x++) target[at++] = source[row + (columns[x] ?? 0)] ?? 0;
  }
  return { data: new Uint8Array(target.buffer), ...thin };
}
