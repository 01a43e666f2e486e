import { segmentAt } from "./segment";

/** Adler-32 (RFC 1950, 8.2), segment by segment. */

const MODULUS: u32 = 65521;
/** As many sums stay below 2^32. */
const STRETCH: usize = 5552;

let a: u32 = 1;
let b: u32 = 0;

export function beginChecksum(): void {
  a = 1;
  b = 0;
}

/** @returns the sum up to here */
export function checksumSegment(bytes: i32): u32 {
  const end = segmentAt() + bytes;
  for (let at = segmentAt(); at < end; ) {
    const stop = min(end, at + STRETCH);
    for (; at < stop; at++) {
      a += load<u8>(at);
      b += a;
    }
    a %= MODULUS;
    b %= MODULUS;
  }
  return (b << 16) | a;
}
