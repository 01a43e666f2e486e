import { LEAST_LOSSY_SAVING } from "../compression.ts";
import { concatBytes } from "../concat-bytes.ts";
import { Engine } from "./engine.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import { parseJpeg } from "./parse-jpeg.ts";
import { stepsOf, targetSteps } from "./quantisation.ts";
import { requantise } from "./requantise.ts";
import { writeJpeg } from "./write-jpeg.ts";

const LIMITS = { maxPixels: 100_000_000, maxScans: 100, maxScanBlocks: 60_000_000 };
const MAX_STORE_BYTES = 48 * 1024 * 1024;
/** Of the file and its coefficients together. */
const MAX_DECODED_BYTES = 56 * 1024 * 1024;
/** Of these and the result, which is there twice when it is put together: an isolate has 128 MB for all that it does. */
const MAX_BYTES = 80 * 1024 * 1024;

export type Recompression =
  | { readonly outcome: "recompressed"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly outcome: "kept"; readonly reason: string };

/**
 * Recompresses a JPEG without ever making pixels of it: the coefficients are decoded a row of MCUs at a time, requantised,
 * and written as a progressive JPEG. Sampling, colours, ICC profile, orientation and resolution stay, all other metadata
 * goes, with all that is behind the end of the picture; where that is an HDR gain map, the original is kept.
 * @param module the engine, compiled
 * @param quality 50 to 100, as libjpeg counts, with mozjpeg's tables; 100 loses nothing
 * @throws WebAssembly.RuntimeError, RangeError where the engine fails, which is no fault of the file
 */
export function recompressJpeg(
  module: WebAssembly.Module,
  source: Uint8Array<ArrayBuffer>,
  quality: number,
): Recompression {
  try {
    const file = parseJpeg(source, LIMITS);
    const wanted = stepsOf(quality);
    const steps = file.components.map((component) => targetSteps(component.steps, wanted));
    const worthwhileBytes = source.length * (1 - LEAST_LOSSY_SAVING);
    const pieces = Engine.use(module, source, (engine) => {
      const maxStoreBytes = Math.min(MAX_STORE_BYTES, MAX_DECODED_BYTES - source.length);
      const components = requantise(engine, file, steps, maxStoreBytes);
      const affordableBytes = (MAX_BYTES - source.length - engine.memory.length) / 2;
      if (affordableBytes < worthwhileBytes) engine.limitOutput(affordableBytes, "The result takes too much memory");
      else engine.limitOutput(worthwhileBytes, "Nothing to be saved");
      return writeJpeg(engine, file, components, steps);
    });
    const sizeBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (sizeBytes > worthwhileBytes) return { outcome: "kept", reason: "Nothing to be saved" };
    return { outcome: "recompressed", bytes: concatBytes(pieces) };
  } catch (error) {
    if (error instanceof JpegDeclined) return { outcome: "kept", reason: error.reason };
    throw error;
  }
}
