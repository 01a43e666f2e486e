import { beginBits } from "./bit-writer";
import { layOutPaths } from "./cheapest-tokens";
import { allocate, resetHeap } from "./heap";
import { layOutMatches } from "./match-finder";
import { layOutTokens } from "./tokens";

/** The part of the data in work, and what its matches may reach back to. */

export const WINDOW_BYTES: i32 = 32 * 1024;
/** Bytes are compared and hashed by the word, beyond the end of the segment. */
const SPARE_BYTES: usize = 32;

let window: usize = 0;

/**
 * Starts a stream.
 * @param dataBytes of all segments
 * @param segmentBytes of the longest
 * @param near see Effort
 */
export function beginDeflate(dataBytes: i32, segmentBytes: i32, near: i32, far: i32, nice: i32): void {
  resetHeap();
  window = allocate(<usize>(WINDOW_BYTES + segmentBytes) + SPARE_BYTES);
  layOutTokens(segmentBytes);
  layOutPaths(segmentBytes);
  layOutMatches(dataBytes, segmentBytes, near, far, nice);
  beginBits();
}

/** Where the segment's first byte goes: 32 KB before it go in front, 12 behind it at its end. */
export function segmentAt(): usize {
  return window + WINDOW_BYTES;
}
