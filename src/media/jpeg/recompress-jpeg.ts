import { LEAST_LOSSY_SAVING } from "../compression.ts";
import { concatBytes } from "../concat-bytes.ts";
import { CoefficientStore, StoreBudget } from "./coefficient-store.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { JpegFile } from "./jpeg-file.ts";
import { parseJpeg } from "./parse-jpeg.ts";
import { stepsOf, targetSteps } from "./quantisation.ts";
import { ScanCursor } from "./scan-cursor.ts";
import { writeJpeg } from "./write-jpeg.ts";

const LIMITS = { maxPixels: 100_000_000, maxScans: 100, maxScanBlocks: 60_000_000 };
const MAX_STORE_BYTES = 48 * 1024 * 1024;
/**
 * What an AC magnitude, in target steps, is rounded with: less than a half, as zeros are cheaper than they are missed, and
 * in chroma even less so. Found by comparing bytes and SSIM with mozjpeg's trellis quantisation.
 */
const LUMA_ROUNDING = 0.4;
const CHROMA_ROUNDING = 0.33;

export type Recompression =
  | { readonly outcome: "recompressed"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly outcome: "kept"; readonly reason: string };

/**
 * Recompresses a JPEG without ever making pixels of it: the coefficients are decoded a row of MCUs at a time, requantised,
 * and written as a progressive JPEG. Sampling, colours, ICC profile and orientation stay, all other metadata goes.
 * @param quality 50 to 100, as libjpeg counts, with mozjpeg's tables; 100 loses nothing
 */
export function recompressJpeg(source: Uint8Array, quality: number): Recompression {
  try {
    const file = parseJpeg(source, LIMITS);
    const wanted = stepsOf(quality);
    const steps = file.components.map((component) => targetSteps(component.steps, wanted));
    const pieces = writeJpeg(file, requantise(source, file, steps), steps);
    const sizeBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (sizeBytes > source.length * (1 - LEAST_LOSSY_SAVING)) return { outcome: "kept", reason: "Nothing to be saved" };
    return { outcome: "recompressed", bytes: concatBytes(pieces) };
  } catch (error) {
    if (error instanceof JpegDeclined) return { outcome: "kept", reason: error.reason };
    throw error;
  }
}

/** @throws JpegDeclined */
function requantise(source: Uint8Array, file: JpegFile, steps: readonly Uint16Array[]): CoefficientStore[] {
  const budget = new StoreBudget(MAX_STORE_BYTES);
  const cursors = file.scans.map((scan) => new ScanCursor(source, file, scan));
  const row = file.components.map(({ paddedBlocksPerLine, v }) => new Int16Array(paddedBlocksPerLine * v * 64));
  const stores = file.components.map(
    (component) => new CoefficientStore(component.blocksPerLine, component.blockLines, budget),
  );
  const ratios = file.components.map((component, i) =>
    Float64Array.from(component.steps, (step, k) => step / (steps[i]?.[k] ?? step)),
  );
  const roundings = ratios.map((own, i) => {
    const rounding = isChroma(file, i) ? CHROMA_ROUNDING : LUMA_ROUNDING;
    return own.map((ratio) => (ratio === 1 ? 0 : rounding));
  });
  for (let mcuRow = 0; mcuRow < file.mcuRows; mcuRow++) {
    for (const coefficients of row) coefficients.fill(0);
    for (const cursor of cursors) cursor.decodeRow(row, mcuRow);
    for (const [i, component] of file.components.entries()) {
      const lines = Math.min(component.v, component.blockLines - mcuRow * component.v);
      for (let line = 0; line < lines; line++) {
        const at = line * component.paddedBlocksPerLine * 64;
        stores[i]?.appendLine(row[i] as Int16Array, at, ratios[i] as Float64Array, roundings[i] as Float64Array);
      }
    }
  }
  return stores;
}

/** JFIF and Adobe: the second and third component are Cb and Cr, unless the file says RGB or CMYK. */
function isChroma({ components, metadata: { adobeTransform, density } }: JpegFile, index: number): boolean {
  if (index === 0 || index === 3 || components.length < 3) return false;
  if (components.length === 4) return adobeTransform === 2;
  if (density !== undefined) return true;
  return adobeTransform === undefined
    ? String.fromCharCode(...components.map(({ id }) => id)) !== "RGB"
    : adobeTransform !== 0;
}
