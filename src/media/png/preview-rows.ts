import type { CodecTools } from "../codec-tools.ts";
import { previewSize } from "../preview/preview-size.ts";
import { Scalers } from "../preview/scaler.ts";
import type { Pixels } from "../webp/webp-engine.ts";
import { keyOf, openPicture } from "./open-picture.ts";
import type { SourcePicture } from "./source-picture.ts";

/** What reading a byte of a row takes on a slow machine. */
const BYTE_MS = 0.00002;
const PASS_ROWS = 16;
/** Of a pixel that did not come: nothing is there. */
const CLEAR = 0;

/**
 * A picture's preview, read row by row: memory is some rows and the result. One of several passes is read twice, as its rows come from
 * all of them. Rows behind damage are clear.
 * @returns undefined where nothing can be read, or a row is too long to be held
 */
export async function previewRows(
  tools: CodecTools & { readonly scaler: WebAssembly.Module },
  source: SourcePicture,
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
  const size = previewSize(source);
  const scaler = new Scalers(tools.scaler).add({
    channels: 4,
    sourceWidth: source.width,
    sourceHeight: source.height,
    ...size,
  });
  for (let y = 0; y < source.height; y++) {
    const at = loops.rgbaRow();
    if (at === 0 && y === 0) return undefined;
    if (at === 0) break;
    scaler.addRow(engine.bytesAt(at, source.width * 4));
    await tools.yieldIfDue(rowMs);
  }
  return { data: scaler.finish(CLEAR), ...size };
}
