import { Resamplers } from "../resample/resampler.ts";
import { upright } from "../resample/upright.ts";
import { type Size, storedWindow, wholeWindow } from "../resample/window.ts";
import type { Pixels } from "../webp/webp-engine.ts";
import type { Engine } from "./engine.ts";
import type { JpegFile } from "./jpeg-file.ts";
import { toRgba } from "./to-rgba.ts";

/** A wish for a small picture that a recompression makes beside its result. */
export interface SmallPicture {
  readonly resampler: WebAssembly.Module;
  /** @param upright the picture's size */
  sizeOf(upright: Size): Size;
  take(pixels: Pixels): void;
}

/** Lines of blocks that are read for each row of the small picture. */
const LINES = 2;
/** Time for a block's mean on a slow machine. */
export const MEAN_MS = 0.00003;

/**
 * Makes a small upright picture of the DC coefficients in the engine, which are its blocks' means. Memory is some lines of means.
 * @param file the requantised picture
 * @param components the engine's components
 * @param steps the quantisation steps of the coefficients
 */
export function makeSmallPicture(
  { loops }: Pick<Engine, "loops">,
  file: JpegFile,
  { components, steps }: { readonly components: readonly number[]; readonly steps: readonly Uint16Array[] },
  wish: SmallPicture,
): Pixels {
  const { orientation } = file.metadata;
  const window = storedWindow((shown) => wholeWindow(shown, wish.sizeOf(shown)), file, orientation);
  const { result } = window;
  const resamplers = new Resamplers(wish.resampler);
  const planes = file.components.map(({ h, blocksPerLine, blockLines }) => {
    const columns = Math.min(blocksPerLine, Math.ceil((file.width * h) / file.hMax / 8));
    const rows = Math.min(blockLines, LINES * result.height);
    const whole = { across: { from: 0, length: columns }, down: { from: 0, length: rows } };
    return { rows, resampler: resamplers.add({ channels: 1, columns, rows, ...whole, ...result }) };
  });
  for (const [i, { rows, resampler }] of planes.entries()) {
    const { blocksPerLine = 0, blockLines = 0 } = file.components[i] ?? {};
    for (let row = 0; row < rows; row++) {
      const line = Math.floor(((row + 0.5) * blockLines) / rows);
      const at = loops.storedMeansOf(components[i] ?? 0, line, steps[i]?.[0] ?? 1);
      resampler.addRow(new Uint8Array(loops.memory.buffer, at, blocksPerLine));
    }
  }
  const samples = planes.map(({ resampler }) => resampler.finish(0));
  const data = toRgba(file, samples);
  resamplers.release();
  return upright({ data, ...result }, orientation);
}
