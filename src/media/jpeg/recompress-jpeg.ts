import type { CodecTools } from "../codec-tools.ts";
import { LEAST_LOSSY_SAVING } from "../compression.ts";
import { SLICE_MS } from "../metadata/scrubber.ts";
import { fillIndex, writeAlbum } from "./album.ts";
import { Engine } from "./engine.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { JpegFile } from "./jpeg-file.ts";
import { parseJpeg } from "./parse-jpeg.ts";
import type { Pause } from "./pause.ts";
import { stepsOf, targetSteps } from "./quantisation.ts";
import { requantise } from "./requantise.ts";
import { type ColourPlan, planYcc } from "./rgb-to-ycc.ts";
import { MEAN_MS, makeSmallPicture, type SmallPicture } from "./small-picture.ts";
import { writeJpeg } from "./write-jpeg.ts";

const MIB = 1024 * 1024;
const LIMITS = { maxPixels: 100_000_000, maxScans: 100, maxScanBlocks: 60_000_000 };
const MAX_STORE_BYTES = 48 * MIB;
/** The most memory of the file and its coefficients together. */
const MAX_DECODED_BYTES = 56 * MIB;
/** The most memory of the file, its coefficients and the result together. An isolate has 128 MB for all its work. */
export const MAX_JPEG_BYTES = 80 * MIB;
/** The bytes of a gain map and a film, which are copied. */
const MAX_OTHER_BYTES = 16 * MIB;
/** Time for reading the markers on a slow machine. */
const PARSE_MS_PER_BYTE = 0.000002;

export interface JpegTools extends CodecTools {
  /**
   * Called when the work needs more memory. If it returns a promise, the work waits for memory.
   * @param bytes that the work holds or will soon hold, without the file itself
   * @throws Error if no memory is free in time
   */
  holdIfMore(bytes: number): Promise<void> | undefined;
}

export interface RecompressionTools extends JpegTools {
  /** Wanted beside the result. The picture is taken even if the original is kept, unless it is damaged or declined. */
  readonly small?: SmallPicture | undefined;
}

export type Recompression =
  | { readonly outcome: "recompressed"; readonly pieces: readonly Uint8Array[]; readonly sizeBytes: number }
  | { readonly outcome: "kept"; readonly reason: string };

/**
 * Recompresses a JPEG without decoding it to pixels: the coefficients are decoded a row of MCUs at a time, requantised, and written as a
 * progressive JPEG. Sampling, ICC profile, orientation and resolution stay. All other metadata and other data after the picture are dropped.
 * An HDR gain map and a motion photo's film are kept; the original is kept if they cannot be written again. RGB becomes YCbCr, unless the quality is 100 or the source is coarse.
 * @param quality 50 to 100 on libjpeg's scale, with mozjpeg's tables; 100 loses nothing
 * @throws WebAssembly.RuntimeError, RangeError if the engine fails, which is not the file's fault
 * @throws the error of `tools.holdIfMore`
 */
export async function recompressJpeg(
  tools: RecompressionTools,
  source: Uint8Array<ArrayBuffer>,
  quality: number,
): Promise<Recompression> {
  try {
    const file = parseJpeg(source, LIMITS);
    await tools.yieldIfDue(source.length * PARSE_MS_PER_BYTE);
    const wanted = stepsOf(quality);
    const plan = planYcc(file, wanted) ?? planSameColours(file, wanted);
    const worthwhileBytes = source.length * (1 - LEAST_LOSSY_SAVING);
    const { gainMap, film } = file.metadata.album ?? {};
    const otherBytes = (gainMap?.length ?? 0) + (film?.length ?? 0);
    if (otherBytes > MAX_OTHER_BYTES) throw new JpegDeclined("The parts behind the picture take too much memory");
    if (otherBytes > 0) await tools.holdIfMore(otherBytes);
    const album = file.metadata.album && (await writeAlbum(file.metadata.album, () => tools.yieldIfDue(SLICE_MS)));
    const pieces = await Engine.use(tools.engine, source, async (engine) => {
      const pause: Pause = (stepMs) => tools.holdIfMore(engine.heldBytes + otherBytes) ?? tools.yieldIfDue(stepMs);
      engine.loops.resetHeap(Math.min(MAX_STORE_BYTES, MAX_DECODED_BYTES - source.length - otherBytes));
      const components = await requantise(engine, file, plan, pause);
      if (tools.small !== undefined) {
        tools.small.take(makeSmallPicture(engine, plan.target, { components, steps: plan.steps }, tools.small));
        await pause(blocksOf(file) * MEAN_MS);
      }
      const affordableBytes = MAX_JPEG_BYTES - source.length - otherBytes - engine.memory.length;
      if (affordableBytes < worthwhileBytes) engine.limitOutput(affordableBytes, "The result takes too much memory");
      else engine.limitOutput(Math.max(0, worthwhileBytes - otherBytes), "Nothing to be saved");
      return writeJpeg(engine, plan.target, { components, steps: plan.steps, segments: album?.segments ?? [] }, pause);
    });
    if (album !== undefined) {
      fillIndex(album, pieces);
      pieces.push(...album.parts);
    }
    const sizeBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (sizeBytes > worthwhileBytes) return { outcome: "kept", reason: "Nothing to be saved" };
    return { outcome: "recompressed", pieces, sizeBytes };
  } catch (error) {
    if (error instanceof JpegDeclined) return { outcome: "kept", reason: error.reason };
    throw error;
  }
}

function blocksOf({ components }: JpegFile): number {
  return components.reduce((sum, { blocksPerLine, blockLines }) => sum + blocksPerLine * blockLines, 0);
}

/** Steps never become finer than the source's, so a source of low quality is stored without loss. */
function planSameColours(file: JpegFile, wanted: Uint16Array): ColourPlan {
  const steps = file.components.map((component) => targetSteps(component.steps, wanted));
  return { target: file, steps, becomesYcc: false };
}
