import { CannotCompress } from "../cannot-compress.ts";
import { unfilterRow } from "./filters.ts";
import { bitsPerPixel, listPasses, type PngHeader } from "./header.ts";
import { InflatedBytes } from "./inflated-bytes.ts";

export interface PngRow {
  /** The bytes of one row, without its filter. Valid until the next row is asked for. */
  row: Uint8Array;
  /** The row above in the same pass; zeros for the first. */
  previous: Uint8Array;
}

/**
 * Every row of an image, pass after pass, with two rows in memory.
 * @throws CannotCompress where the image data is damaged or ends early
 */
export async function* readRows(header: PngHeader, idat: readonly Buffer[]): AsyncGenerator<PngRow> {
  const step = Math.max(1, bitsPerPixel(header) >> 3);
  const bytes = new InflatedBytes(idat);
  try {
    for (const { rowBytes, rows } of listPasses(header)) {
      let line = new Uint8Array(1 + rowBytes);
      let above = new Uint8Array(1 + rowBytes);
      for (let index = 0; index < rows; index++) {
        await bytes.fill(line);
        const row = line.subarray(1);
        const previous = above.subarray(1);
        if (!unfilterRow(line[0] ?? 0, row, previous, step)) throw new CannotCompress("damaged image data");
        yield { row, previous };
        [line, above] = [above, line];
      }
    }
  } finally {
    bytes.close();
  }
}
