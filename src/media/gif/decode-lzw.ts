// biome-ignore-all lint/style/noNonNullAssertion: every index is below 4,096 or within the target, and this runs once for each pixel

import type { GifFrame } from "./gif-blocks.ts";

const MAX_CODES = 4096;
const MAX_CODE_BITS = 12;

/**
 * The pixels of a frame (GIF89a, 22 and appendix F). The data is read where it stands in its sub-blocks (15), and nothing is
 * allocated but the pixels: what a code stands for was written already, so it is known by where that is and how long.
 * @returns an index into the colour table for each pixel, in the order of the file; undefined where the data does not tell
 * every pixel, or tells colours that there are not: of damaged data decoders make something too, each its own
 */
export function decodeLzw(file: Uint8Array, frame: GifFrame): Uint8Array | undefined {
  const literalBits = file[frame.dataAt] ?? 0;
  if (literalBits < 2 || literalBits > 8) return undefined;
  const colourCount = frame.colourTable.length / 3;
  const pixels = new Uint8Array(frame.width * frame.height);
  const clear = 1 << literalBits;
  const starts = new Uint32Array(MAX_CODES);
  const lengths = new Uint16Array(MAX_CODES);
  let next = clear + 2;
  let codeBits = literalBits + 1;
  let previousLength = 0;
  let bits = 0;
  let bitCount = 0;
  let at = frame.dataAt + 1;
  let blockEnd = at;
  for (let filled = 0; filled < pixels.length; ) {
    for (; bitCount < codeBits; bitCount += 8) {
      if (at === blockEnd) {
        const blockBytes = file[at] ?? 0;
        if (blockBytes === 0) return undefined;
        at += 1;
        blockEnd = at + blockBytes;
      }
      bits |= (file[at++] ?? 0) << bitCount;
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
    // The end, in front of the last pixel; a code that stands for nothing yet.
    if (code === clear + 1 || code > next || (isFirst && code > clear)) return undefined;
    if (!isFirst && next < MAX_CODES) {
      // The string before, and the first pixel of this one, which is about to stand behind it.
      starts[next] = filled - previousLength;
      lengths[next] = previousLength + 1;
      next += 1;
      if (next === 1 << codeBits && codeBits < MAX_CODE_BITS) codeBits += 1;
    }
    if (code < clear) {
      if (code >= colourCount) return undefined;
      pixels[filled] = code;
      previousLength = 1;
    } else {
      previousLength = lengths[code]!;
      const from = starts[code]!;
      const length = Math.min(previousLength, pixels.length - filled);
      // One by one: a string may reach into what it is being copied to.
      for (let i = 0; i < length; i++) pixels[filled + i] = pixels[from + i]!;
    }
    filled += previousLength;
  }
  return pixels;
}
