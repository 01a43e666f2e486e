import type { CodecTools } from "../codec-tools.ts";
import { Resamplers } from "../resample/resampler.ts";
import type { Window } from "../resample/window.ts";
import type { Pixels } from "../webp/webp-engine.ts";
import { keyOf, openPicture } from "./open-picture.ts";
import type { SourcePicture } from "./source-picture.ts";

/** Time for reading a byte of a row on a slow machine. */
const BYTE_MS = 0.00002;
const PASS_ROWS = 16;
/** The value of missing pixels. */
const CLEAR = 0;

/**
 * Resizes a picture row by row, with some rows and the result in memory. A picture of several passes is read twice, because its rows come
 * from all of them. Rows after damage are transparent.
 * @returns undefined if nothing can be read, or a row is too long to be held
 */
export async function resizeRows(
  tools: CodecTools & { readonly resampler: WebAssembly.Module },
  source: SourcePicture,
  window: Window,
): Promise<Pixels | undefined> {
  const { engine, samples, sampleBytes, keepsRows } = openPicture(tools.engine, source);
  if (!keepsRows) return undefined;
  const { loops } = engine;
  const rowMs = source.width * samples * sampleBytes * BYTE_MS;
  if (source.passes.length === 1) loops.readAtOnce();
  else {
    for (let status = 1; status !== 0; ) {
      status = loops.readPasses(PASS_ROWS);
      if (status < 0) return undefined;
      await tools.yieldIfDue(PASS_ROWS * rowMs);
    }
  }
  loops.beginRgba(source.width, samples, sampleBytes);
  const key = keyOf(source);
  if (key !== undefined) loops.setRgbaKey(...key);
  const resampler = new Resamplers(tools.resampler).addPixels(source, window);
  for (let y = 0; y < source.height; y++) {
    const at = loops.rgbaRow();
    if (at === 0 && y === 0) return undefined;
    if (at === 0) break;
    resampler.addRow(engine.bytesAt(at, source.width * 4));
    await tools.yieldIfDue(rowMs);
  }
  return { data: resampler.finish(CLEAR), ...window.result };
}
