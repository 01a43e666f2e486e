import { allocate } from "./heap";
import { findLongCode, LOOKUP_BITS, lookUp } from "./huffman-table";

/**
 * A table for skipping AC coefficients (T.81, F.2.2.2) whose values are not needed. The next 12 bits select all coefficients whose codes
 * end within them, two or three in photos. An entry (u16) is `advance << 5 | bits`. `bits`: the bits that they take, 27 at most, including
 * the last value's bits after the 12. `advance`: the number of coefficients, 63 at most, plus `END_OF_BLOCK` if the block ends there. The
 * advance is `NO_CODE` if not even one code is complete.
 */
export const SKIP_BITS: i32 = 12;
export const END_OF_BLOCK: i32 = 128;
const WINDOWS: i32 = 1 << SKIP_BITS;
const BITS_MASK: i32 = 31;
const MAX_ADVANCE: i32 = 63;
/** It leads out of every block. */
const NO_CODE: i32 = 64;
const ZERO_RUN: i32 = 0xf0;

/** @param table of `huffman-table` */
export function addSkipTable(table: usize): usize {
  const skips = allocate(<usize>(WINDOWS << 1));
  for (let window = 0; window < WINDOWS; window++) store<u16>(skips + (window << 1), skipsIn(table, window));
  return skips;
}

export function skipAt(skips: usize, window: i32): i32 {
  return <i32>load<u16>(skips + (window << 1));
}

export function bitsOf(skip: i32): i32 {
  return skip & BITS_MASK;
}

export function advanceOf(skip: i32): i32 {
  return skip >> 5;
}

function skipsIn(table: usize, window: i32): i32 {
  let bits = 0;
  let advance = 0;
  while (bits < SKIP_BITS) {
    // If a code ends within the window, the bits after it do not matter.
    const rest = (window << bits) & (WINDOWS - 1);
    let symbol = lookUp(table, rest >> (SKIP_BITS - LOOKUP_BITS));
    if (symbol === 0) symbol = findLongCode(table, rest << (16 - SKIP_BITS));
    const length = symbol >> 8;
    if (symbol === 0 || bits + length > SKIP_BITS) break;
    const size = symbol & 15;
    if (size === 0 && (symbol & 255) !== ZERO_RUN) return ((advance + END_OF_BLOCK) << 5) | (bits + length);
    const places = ((symbol >> 4) & 15) + 1;
    if (advance + places > MAX_ADVANCE) break;
    advance += places;
    bits += length + size;
  }
  return ((advance === 0 ? NO_CODE : advance) << 5) | bits;
}
