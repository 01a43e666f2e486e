import { addScans } from "./add-scans.ts";
import { isChroma } from "./colour-model.ts";
import type { Engine } from "./engine.ts";
import type { JpegFile } from "./jpeg-file.ts";
import type { Pause } from "./pause.ts";
import { addYccConversion, type ColourPlan } from "./rgb-to-ycc.ts";

/**
 * Added to an AC magnitude, in target steps, before truncation. It is below a half, because zeros save bytes and are hardly noticed,
 * especially in chroma. Found by comparing bytes and SSIM with mozjpeg's trellis quantisation.
 */
export const LUMA_ROUNDING = 0.36;
export const CHROMA_ROUNDING = 0.3;
/** Time on a slow machine: twice the measured time. */
const BLOCK_MS = 0.0002;
const SCAN_BLOCK_MS = 0.00002;
const CODED_BYTE_MS = 0.00003;

/**
 * Decodes a picture into the engine, a row of MCUs at a time, with the plan's quantisation steps and colours.
 * @param pause called after each row
 * @returns the engine's components
 * @throws JpegDeclined if the data is damaged or too large
 */
export async function requantise(
  engine: Engine,
  file: JpegFile,
  { target, steps, becomesYcc }: ColourPlan,
  pause: Pause,
): Promise<number[]> {
  const { loops } = engine;
  const components = file.components.map(({ h, v, blocksPerLine, blockLines, paddedBlocksPerLine }) =>
    loops.addComponent(h, v, blocksPerLine, blockLines, paddedBlocksPerLine),
  );
  const roundings = components.map((_, i) => (isChroma(target, i) ? CHROMA_ROUNDING : LUMA_ROUNDING));
  const conversion = becomesYcc ? addYccConversion(engine, file, steps, roundings) : undefined;
  for (const [i, component] of components.entries()) {
    for (const [k, step] of file.components[i]?.steps.entries() ?? []) {
      // The conversion has quantised already.
      const ratio = becomesYcc ? 1 : step / (steps[i]?.[k] ?? step);
      loops.setStep(component, k, ratio, ratio === 1 ? 0 : (roundings[i] ?? 0));
    }
  }
  const scans = addScans(engine, file, components);
  const rowMs = estimateRowMs(file);
  for (let mcuRow = 0; mcuRow < file.mcuRows; mcuRow++) {
    for (const component of components) loops.clearRow(component);
    for (const scan of scans) loops.decodeRow(scan, mcuRow);
    const [first = 0, second = 0, third = 0] = components;
    if (conversion !== undefined) loops.convertRow(conversion, first, second, third);
    for (const component of components) loops.appendRow(component, mcuRow);
    await pause(rowMs);
  }
  return components;
}

/** Average time for decoding and requantising a row of MCUs on a slow machine. */
function estimateRowMs({ scans, components, mcuRows }: JpegFile): number {
  const codedBytes = scans.reduce((sum, { start, end }) => sum + end - start, 0) / mcuRows;
  const blocks = components.reduce((sum, { paddedBlocksPerLine, v }) => sum + paddedBlocksPerLine * v, 0);
  return blocks * (BLOCK_MS + SCAN_BLOCK_MS * scans.length) + codedBytes * CODED_BYTE_MS;
}
