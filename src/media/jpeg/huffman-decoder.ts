import { JpegDeclined } from "./jpeg-declined.ts";

/** Codes of up to this length are found in one look. */
export const LOOKUP_BITS = 9;

/** A Huffman table for decoding (T.81, F.2.2.3 and annex C). */
export interface HuffmanDecoder {
  /** The next 9 bits select length << 8 | symbol; 0 if the code is longer. */
  readonly lookup: Uint16Array;
  /** Largest code of each length, shifted up to 16 bits, plus one; 0 if there is none. */
  readonly limits: Int32Array;
  /** The number to add to a code of each length to find its symbol. */
  readonly offsets: Int32Array;
  readonly symbols: Uint8Array;
}

/** @param counts codes of each length, 1 to 16 @throws JpegDeclined if they are not a prefix code */
export function makeHuffmanDecoder(counts: Uint8Array, symbols: Uint8Array): HuffmanDecoder {
  const lookup = new Uint16Array(1 << LOOKUP_BITS);
  const limits = new Int32Array(18);
  const offsets = new Int32Array(18);
  let code = 0;
  let place = 0;
  for (let length = 1; length <= 16; length++) {
    const count = counts[length - 1] ?? 0;
    offsets[length] = place - code;
    if (code + count > 1 << length) throw new JpegDeclined("A Huffman table has too many codes");
    for (let i = 0; i < count; i++, code++, place++) {
      if (length > LOOKUP_BITS) continue;
      const first = code << (LOOKUP_BITS - length);
      lookup.fill((length << 8) | (symbols[place] ?? 0), first, first + (1 << (LOOKUP_BITS - length)));
    }
    limits[length] = count > 0 ? code << (16 - length) : 0;
    code <<= 1;
  }
  return { lookup, limits, offsets, symbols };
}
