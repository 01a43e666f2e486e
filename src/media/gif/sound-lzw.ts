import type { GifFrame } from "./gif-blocks.ts";

const MAX_CODES = 4096;
const MAX_CODE_BITS = 12;

/**
 * Whether a frame's data tells every one of its pixels (GIF89a, appendix F), in colours that there are. Decoders make
 * something of damaged data as well, each its own. Nothing is unpacked: of each code, only its length is kept.
 */
export function hasSoundData(file: Uint8Array, { width, height, dataAt, colours }: GifFrame): boolean {
  const literalBits = file[dataAt] ?? 0;
  if (literalBits < 2 || literalBits > 8) return false;
  const clear = 1 << literalBits;
  const lengths = new Uint16Array(MAX_CODES).fill(1, 0, clear);
  let next = clear + 2;
  let codeBits = literalBits + 1;
  let previous = 0;
  let left = width * height;
  let bits = 0;
  let bitCount = 0;
  for (const byte of dataBytes(file, dataAt + 1)) {
    bits |= byte << bitCount;
    bitCount += 8;
    if (bitCount < codeBits) continue;
    const code = bits & ((1 << codeBits) - 1);
    bits >>>= codeBits;
    bitCount -= codeBits;
    if (code === clear) {
      next = clear + 2;
      codeBits = literalBits + 1;
      previous = 0;
      continue;
    }
    // The end came too early, a code comes before it is known, or there is no such colour.
    if (code === clear + 1 || code > next || (code === next && previous === 0)) return false;
    if (code < clear ? code >= colours : previous === 0) return false;
    const length = code === next ? previous + 1 : (lengths[code] ?? 0);
    if (previous > 0 && next < MAX_CODES) {
      lengths[next++] = previous + 1;
      if (next === 1 << codeBits && codeBits < MAX_CODE_BITS) codeBits += 1;
    }
    previous = length;
    left -= length;
    if (left <= 0) return true;
  }
  return false;
}

/** The bytes of sub-blocks (GIF89a, 15). */
function* dataBytes(file: Uint8Array, from: number): Generator<number> {
  for (let at = from, length = file[at] ?? 0; length > 0; length = file[at] ?? 0) {
    yield* file.subarray(at + 1, at + 1 + length);
    at += 1 + length;
  }
}
