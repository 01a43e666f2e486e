import type { CodecTools } from "../codec-tools.ts";
import { LEAST_LOSSY_SAVING } from "../compression.ts";
import { Engine } from "./engine.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { JpegFile } from "./jpeg-file.ts";
import { parseJpeg } from "./parse-jpeg.ts";
import type { Pause } from "./pause.ts";
import { stepsOf, targetSteps } from "./quantisation.ts";
import { requantise } from "./requantise.ts";
import { type ColourPlan, planYcc } from "./rgb-to-ycc.ts";
import { writeJpeg } from "./write-jpeg.ts";

const MIB = 1024 * 1024;
const LIMITS = { maxPixels: 100_000_000, maxScans: 100, maxScanBlocks: 60_000_000 };
const MAX_STORE_BYTES = 48 * MIB;
/** Of the file and its coefficients together. */
const MAX_DECODED_BYTES = 56 * MIB;
/** Of these and the result: an isolate has 128 MB for all that it does. */
export const MAX_JPEG_BYTES = 80 * MIB;
/** Reading the markers takes this long on a slow machine. */
const PARSE_MS_PER_BYTE = 0.000002;

export interface JpegTools extends CodecTools {
  /**
   * Called as the work comes to hold more. A promise means that it waits for memory.
   * @param bytes what it holds by now or will soon, without the file itself
   * @throws Error where there is no memory in time
   */
  holdIfMore(bytes: number): Promise<void> | undefined;
}

export type Recompression =
  | { readonly outcome: "recompressed"; readonly pieces: readonly Uint8Array[]; readonly sizeBytes: number }
  | { readonly outcome: "kept"; readonly reason: string };

/**
 * Recompresses a JPEG without ever making pixels of it: the coefficients are decoded a row of MCUs at a time, requantised,
 * and written as a progressive JPEG. Sampling, ICC profile, orientation and resolution stay, all other metadata goes, with all
 * that is behind the end of the picture; where that is an HDR gain map, the original is kept. RGB is stored as YCbCr, unless
 * the quality is 100 or the source is coarse.
 * @param quality 50 to 100, as libjpeg counts, with mozjpeg's tables; 100 loses nothing
 * @throws WebAssembly.RuntimeError, RangeError where the engine fails, which is no fault of the file
 * @throws what `tools.holdIfMore` throws
 */
export async function recompressJpeg(
  tools: JpegTools,
  source: Uint8Array<ArrayBuffer>,
  quality: number,
): Promise<Recompression> {
  try {
    const file = parseJpeg(source, LIMITS);
    await tools.yieldIfDue(source.length * PARSE_MS_PER_BYTE);
    const wanted = stepsOf(quality);
    const plan = planYcc(file, wanted) ?? planSameColours(file, wanted);
    const worthwhileBytes = source.length * (1 - LEAST_LOSSY_SAVING);
    const pieces = await Engine.use(tools.engine, source, async (engine) => {
      const pause: Pause = (stepMs) => tools.holdIfMore(engine.heldBytes) ?? tools.yieldIfDue(stepMs);
      engine.loops.resetHeap(Math.min(MAX_STORE_BYTES, MAX_DECODED_BYTES - source.length));
      const components = await requantise(engine, file, plan, pause);
      const affordableBytes = MAX_JPEG_BYTES - source.length - engine.memory.length;
      if (affordableBytes < worthwhileBytes) engine.limitOutput(affordableBytes, "The result takes too much memory");
      else engine.limitOutput(worthwhileBytes, "Nothing to be saved");
      return writeJpeg(engine, plan.target, { components, steps: plan.steps }, pause);
    });
    const sizeBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (sizeBytes > worthwhileBytes) return { outcome: "kept", reason: "Nothing to be saved" };
    return { outcome: "recompressed", pieces, sizeBytes };
  } catch (error) {
    if (error instanceof JpegDeclined) return { outcome: "kept", reason: error.reason };
    throw error;
  }
}

/** Steps never become finer than the source's: a source of low quality comes out without any loss. */
function planSameColours(file: JpegFile, wanted: Uint16Array): ColourPlan {
  const steps = file.components.map((component) => targetSteps(component.steps, wanted));
  return { target: file, steps, becomesYcc: false };
}
