// biome-ignore-all lint/style/noNonNullAssertion: every index is within the picture, and this runs once for each pixel

import type { Picture } from "./reduce-samples.ts";

/**
 * Several pixels in each byte, the first in the high bits; every row begins with a byte of its own (PNG, 7.2).
 * @param picture of indices of 8 bits, none of which needs more than `bits`
 */
export function packIndices({ header, bytes }: Picture, bits: number): Picture {
  const { width, height } = header;
  const rowBytes = Math.ceil((width * bits) / 8);
  const packed = new Uint8Array(rowBytes * height);
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0; x < width; x++, from++) {
      const bit = x * bits;
      packed[y * rowBytes + (bit >> 3)]! |= bytes[from]! << (8 - bits - (bit & 7));
    }
  }
  return { header: { ...header, bitDepth: bits }, bytes: packed };
}
