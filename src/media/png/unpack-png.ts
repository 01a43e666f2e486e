// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

import { inflateSync } from "node:zlib";
import { concatBytes } from "../concat-bytes.ts";
import { FILTER_TYPES, unfilterRow } from "./filters.ts";
import type { PngChunk } from "./png-chunks.ts";
import { bytesPerPixel, listPasses, type PngHeader, rawBytes } from "./png-header.ts";

/** zlib is given its memory in steps, and the limit holds for those. */
const SLACK_BYTES = 128 * 1024;
const SPARE_BYTES = 64;

/**
 * The picture's data, each row behind its filter.
 * @throws Error where it is damaged, or not as much as the header promises
 */
export function inflatePng(chunks: readonly PngChunk[], header: PngHeader): Uint8Array {
  const size = rawBytes(header);
  const pieces = chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data);
  const [first = concatBytes(pieces)] = pieces;
  const packed = pieces.length > 1 ? concatBytes(pieces) : first;
  // In one step, which is not filled: nothing is put together, which would take the memory twice.
  const lines = inflateSync(packed, { chunkSize: size + SPARE_BYTES, maxOutputLength: 2 * size + SLACK_BYTES });
  if (lines.length !== size) throw new Error("The image data is not as long as the header says");
  let at = 0;
  for (const { rowBytes, rows } of listPasses(header)) {
    for (let row = 0; row < rows; row++, at += 1 + rowBytes) {
      if (lines[at]! >= FILTER_TYPES) throw new Error("There is no such filter");
    }
  }
  return lines;
}

/**
 * Rows without their filters, one behind the other, in the memory that they came in.
 * @param lines of a picture that is not interlaced, as inflatePng has checked them
 */
export function unfilterLines(lines: Uint8Array, header: PngHeader): Uint8Array {
  const [pass = { rowBytes: 0, rows: 0 }] = listPasses(header);
  const step = bytesPerPixel(header);
  let previous: Uint8Array = new Uint8Array(pass.rowBytes);
  for (let y = 0; y < pass.rows; y++) {
    const from = y * (1 + pass.rowBytes);
    const filter = lines[from]!;
    lines.copyWithin(y * pass.rowBytes, from + 1, from + 1 + pass.rowBytes);
    const row = lines.subarray(y * pass.rowBytes, (y + 1) * pass.rowBytes);
    unfilterRow(filter, row, previous, step);
    previous = row;
  }
  return lines.subarray(0, pass.rows * pass.rowBytes);
}
