// biome-ignore-all lint/style/noNonNullAssertion: every index is below 4,096 or within the target, and this runs once for each pixel

import { CannotCompress } from "../cannot-compress.ts";

const MAX_CODES = 4096;

/**
 * GIF's variable-length-code LZW (GIF89a specification, appendix F).
 * @returns exactly `pixels` colour indexes
 * @throws CannotCompress where the codes are damaged or too few
 */
export function decodeLzw(codes: Uint8Array, minimumCodeSize: number, pixels: number): Uint8Array {
  if (minimumCodeSize < 2 || minimumCodeSize > 8) throw new CannotCompress("damaged GIF");
  const clear = 1 << minimumCodeSize;
  const end = clear + 1;
  const prefix = new Uint16Array(MAX_CODES);
  const suffix = new Uint8Array(MAX_CODES);
  const length = new Uint16Array(MAX_CODES);
  for (let code = 0; code < clear; code++) {
    suffix[code] = code;
    length[code] = 1;
  }
  const target = new Uint8Array(pixels);
  let filled = 0;
  let size = minimumCodeSize + 1;
  let next = end + 1;
  let previous = -1;
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  while (filled < pixels) {
    while (bitCount < size) {
      if (at >= codes.length) throw new CannotCompress("the image data ends early");
      bits |= codes[at++]! << bitCount;
      bitCount += 8;
    }
    const code = bits & ((1 << size) - 1);
    bits >>>= size;
    bitCount -= size;
    if (code === clear) {
      size = minimumCodeSize + 1;
      next = end + 1;
      previous = -1;
      continue;
    }
    if (code === end) throw new CannotCompress("the image data ends early");
    // A code that is about to be defined stands for the previous string and its own first index once more.
    const isNew = code === next && previous !== -1;
    if (code > next || (code === next && !isNew) || (previous === -1 && code > clear)) {
      throw new CannotCompress("damaged image data");
    }
    let walk = isNew ? previous : code;
    const stringLength = length[walk]! + (isNew ? 1 : 0);
    let position = filled + length[walk]! - 1;
    while (walk >= clear) {
      if (position < pixels) target[position] = suffix[walk]!;
      position--;
      walk = prefix[walk]!;
    }
    if (position < pixels) target[position] = suffix[walk]!;
    if (isNew && filled + stringLength - 1 < pixels) target[filled + stringLength - 1] = suffix[walk]!;
    if (previous !== -1 && next < MAX_CODES) {
      prefix[next] = previous;
      suffix[next] = suffix[walk]!;
      length[next] = length[previous]! + 1;
      next++;
      if (next === 1 << size && size < 12) size++;
    }
    previous = code;
    filled += stringLength;
  }
  return target;
}
