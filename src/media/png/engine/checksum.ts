import { segmentAt } from "./segment";

/** Adler-32 (RFC 1950, 8.2). */
const MODULUS: u32 = 65521;
/** The sums of this many bytes stay below 2^32. */
const STRETCH: usize = 5552;
export const EMPTY_CHECKSUM: u32 = 1;

let ofSegments: u32 = EMPTY_CHECKSUM;

export function beginChecksum(): void {
  ofSegments = EMPTY_CHECKSUM;
}

/** @returns the checksum of all segments so far */
export function checksumSegment(bytes: i32): u32 {
  ofSegments = addToChecksum(ofSegments, segmentAt(), segmentAt() + bytes);
  return ofSegments;
}

/** @param checksum of the bytes before `from` */
export function addToChecksum(checksum: u32, from: usize, end: usize): u32 {
  let a = checksum & 0xffff;
  let b = checksum >> 16;
  while (from < end) {
    const stop = min(end, from + STRETCH);
    for (; from < stop; from++) {
      a += load<u8>(from);
      b += a;
    }
    a %= MODULUS;
    b %= MODULUS;
  }
  return (b << 16) | a;
}
