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
    const blocks = from + ((stop - from) & ~15);
    if (from < blocks) {
      b += a * <u32>(blocks - from);
      /** Sums of the bytes, of the bytes before each block, and of the bytes in a block by their distance from its end. */
      let bytes = i32x4.splat(0);
      let before = i32x4.splat(0);
      let within = i32x4.splat(0);
      for (; from < blocks; from += 16) {
        const block = v128.load(from);
        before = i32x4.add(before, bytes);
        bytes = i32x4.add(bytes, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(block)));
        const first = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(block), i16x8(16, 15, 14, 13, 12, 11, 10, 9));
        const last = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(block), i16x8(8, 7, 6, 5, 4, 3, 2, 1));
        within = i32x4.add(within, i32x4.add(first, last));
      }
      a += sumOf(bytes);
      b += (sumOf(before) << 4) + sumOf(within);
    }
    for (; from < stop; from++) {
      a += load<u8>(from);
      b += a;
    }
    a %= MODULUS;
    b %= MODULUS;
  }
  return (b << 16) | a;
}

function sumOf(lanes: v128): u32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}
