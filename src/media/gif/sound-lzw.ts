import { concatBytes } from "../concat-bytes.ts";
import type { GifFrame } from "./gif-blocks.ts";

const MAX_CODES = 4096;
const MAX_CODE_BITS = 12;

/**
 * Whether a frame's data tells every one of its pixels (GIF89a, appendix F), in colours that there are: of damaged data
 * decoders make something too, each its own. No pixel is made, only the length of what each code stands for is known.
 */
export function hasSoundData(file: Uint8Array, { width, height, dataAt, colours }: GifFrame): boolean {
  const literalBits = file[dataAt] ?? 0;
  if (literalBits < 2 || literalBits > 8) return false;
  const data = gatherData(file, dataAt + 1);
  const clear = 1 << literalBits;
  const lengths = new Uint16Array(MAX_CODES).fill(1, 0, clear);
  let next = clear + 2;
  let codeBits = literalBits + 1;
  let previousLength = 0;
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  for (let left = width * height; left > 0; ) {
    for (; bitCount < codeBits; bitCount += 8) {
      if (at === data.length) return false;
      bits |= (data[at++] ?? 0) << bitCount;
    }
    const code = bits & ((1 << codeBits) - 1);
    bits >>>= codeBits;
    bitCount -= codeBits;
    if (code === clear) {
      next = clear + 2;
      codeBits = literalBits + 1;
      previousLength = 0;
      continue;
    }
    const isFirst = previousLength === 0;
    // The end, in front of the last pixel; a code that stands for nothing yet; a colour that is not in the table.
    if (code === clear + 1 || code > next || (isFirst && code > clear) || (code < clear && code >= colours))
      return false;
    const length = code === next ? previousLength + 1 : (lengths[code] ?? 0);
    if (!isFirst && next < MAX_CODES) {
      lengths[next] = previousLength + 1;
      next += 1;
      if (next === 1 << codeBits && codeBits < MAX_CODE_BITS) codeBits += 1;
    }
    previousLength = length;
    left -= length;
  }
  return true;
}

/** What the sub-blocks hold (GIF89a, 15). */
function gatherData(file: Uint8Array, from: number): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let at = from, length = file[at] ?? 0; length > 0; length = file[at] ?? 0) {
    blocks.push(file.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return concatBytes(blocks);
}
