import { deflateRawSync, type ZlibOptions } from "node:zlib";
import type { PngEngine } from "./engine.ts";
import { bytesPerPixel } from "./png-header.ts";
import type { Picture } from "./reduce-samples.ts";

const STRIP_ROWS = 16;
/** Choosing takes 12 bytes for each of a row; longer rows stay as they are. */
const MAX_FILTERED_ROW_BYTES = 256 * 1024;
const DICTIONARY_BYTES = 32 * 1024;
/** The first is enough where there is no doubt. */
const FAST = { level: 1, memLevel: 9 };
const THOROUGH = { level: 6, memLevel: 9 };
const DOUBT = 0.1;
/** A strip that is filtered is of no use to those below that are not, and the other way round. */
const LEAST_GAIN = 0.02;

/**
 * Filters row by row where that deflates better: photographs do, text and flat colours are best left alone. Strips are tried
 * both ways with zlib, each behind what has been chosen above.
 * @returns each row behind its filter
 */
export function filterRows(engine: PngEngine, { header, bytes }: Picture): Uint8Array {
  const { loops } = engine;
  const { height } = header;
  const rowBytes = bytes.length / height;
  const lineBytes = 1 + rowBytes;
  const result = new Uint8Array(lineBytes * height);
  if (rowBytes > MAX_FILTERED_ROW_BYTES) {
    for (let y = 0; y < height; y++) result.set(bytes.subarray(y * rowBytes, (y + 1) * rowBytes), y * lineBytes + 1);
    return result;
  }
  const strip = new Uint8Array(lineBytes * Math.min(STRIP_ROWS, height));
  loops.beginFilters(rowBytes, bytesPerPixel(header));
  const weights = new Float64Array(loops.memory.buffer, loops.weightsAt(), rowBytes + 1);
  for (let n = 2; n <= rowBytes; n++) weights[n] = n * Math.log2(n);
  // Both are zero, but memory may have been used before.
  weights.fill(0, 0, 2);
  for (let top = 0; top < height; top += STRIP_ROWS) {
    const rows = Math.min(STRIP_ROWS, height - top);
    const from = top * lineBytes;
    const plain = result.subarray(from, from + rows * lineBytes);
    const filtered = strip.subarray(0, plain.length);
    for (let y = 0; y < rows; y++) {
      const row = bytes.subarray((top + y) * rowBytes, (top + y + 1) * rowBytes);
      const at = y * lineBytes;
      plain.set(row, at + 1);
      engine.bytesAt(loops.rowAt(), rowBytes).set(row);
      filtered[at] = loops.chooseFilter();
      filtered.set(engine.bytesAt(loops.filteredRowAt(), rowBytes), at + 1);
    }
    const dictionary = result.subarray(Math.max(0, from - DICTIONARY_BYTES), from);
    if (isFilteredBetter(plain, filtered, dictionary)) plain.set(filtered);
  }
  return result;
}

function isFilteredBetter(plain: Uint8Array, filtered: Uint8Array, dictionary: Uint8Array): boolean {
  const sizeOf = (bytes: Uint8Array, options: ZlibOptions) =>
    deflateRawSync(bytes, dictionary.length === 0 ? options : { ...options, dictionary }).length;
  const ratio = sizeOf(filtered, FAST) / sizeOf(plain, FAST);
  if (Math.abs(1 - ratio) > DOUBT) return ratio < 1;
  return sizeOf(filtered, THOROUGH) <= (1 - LEAST_GAIN) * sizeOf(plain, THOROUGH);
}
