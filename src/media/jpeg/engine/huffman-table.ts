import { allocateZeros } from "./heap";

/**
 * A decoding table (T.81, F.2.2.3), made by the host. Its parts: for the next 9 bits `length << 8 | symbol`, 0 if the code is longer (u16);
 * by length, the largest code, shifted up to 16 bits, plus one (i32); by length, the number to add to a code to find its symbol (i32); the
 * symbols.
 */
export const LOOKUP_BITS: i32 = 9;
const LOOKUP_BYTES: usize = 2 << LOOKUP_BITS;
const LENGTHS_BYTES: usize = 18 * 4;
const LIMITS: usize = LOOKUP_BYTES;
const OFFSETS: usize = LIMITS + LENGTHS_BYTES;
const SYMBOLS: usize = OFFSETS + LENGTHS_BYTES;

/** @returns the address to which the host writes the table's parts, one after another */
export function addHuffmanTable(): usize {
  return allocateZeros(SYMBOLS + 256);
}

/** `length << 8 | symbol` of the code that the nine bits begin; 0 if it is longer. */
export function lookUp(table: usize, nineBits: i32): i32 {
  return <i32>load<u16>(table + (nineBits << 1));
}

/** The same for a code of more than nine bits; 0 if there is no such code. */
export function findLongCode(table: usize, sixteenBits: i32): i32 {
  for (let length = LOOKUP_BITS + 1; length <= 16; length++) {
    if (sixteenBits >= load<i32>(table + LIMITS + (length << 2))) continue;
    const place = (sixteenBits >> (16 - length)) + load<i32>(table + OFFSETS + (length << 2));
    return (length << 8) | (<u32>place < 256 ? <i32>load<u8>(table + SYMBOLS + place) : 0);
  }
  return 0;
}
