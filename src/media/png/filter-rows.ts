import { deflateRawSync, type ZlibOptions } from "node:zlib";
import { FilterChooser } from "./filter-chooser.ts";

const STRIP_ROWS = 32;
const DICTIONARY_BYTES = 32 * 1024;
/** The first is enough where there is no doubt. */
const FAST = { level: 1, memLevel: 9 };
const THOROUGH = { level: 6, memLevel: 9 };
const DOUBT = 0.1;
/** A strip that is filtered is of no use to those below that are not, and the other way round. */
const LEAST_GAIN = 0.02;

/** Rows without filters, one behind the other. */
export interface Rows {
  readonly bytes: Uint8Array;
  readonly rowBytes: number;
  readonly height: number;
  /** From a pixel to the next, at least 1. */
  readonly step: number;
}

/**
 * Filters row by row where that deflates better: photographs do, text and flat colours are best left alone. Strips are tried
 * both ways with zlib, each behind what has been chosen above.
 * @returns each row behind its filter
 */
export function filterRows({ bytes, rowBytes, height, step }: Rows): Uint8Array {
  const lineBytes = 1 + rowBytes;
  const result = new Uint8Array(lineBytes * height);
  const strip = new Uint8Array(lineBytes * Math.min(STRIP_ROWS, height));
  const chooser = new FilterChooser(rowBytes, step);
  const aboveFirst = new Uint8Array(rowBytes);
  const rowAt = (y: number) => (y < 0 ? aboveFirst : bytes.subarray(y * rowBytes, (y + 1) * rowBytes));
  for (let top = 0; top < height; top += STRIP_ROWS) {
    const rows = Math.min(STRIP_ROWS, height - top);
    const from = top * lineBytes;
    const plain = result.subarray(from, from + rows * lineBytes);
    const filtered = strip.subarray(0, plain.length);
    for (let y = 0; y < rows; y++) {
      plain.set(rowAt(top + y), y * lineBytes + 1);
      chooser.choose(rowAt(top + y), rowAt(top + y - 1), filtered.subarray(y * lineBytes, (y + 1) * lineBytes));
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
