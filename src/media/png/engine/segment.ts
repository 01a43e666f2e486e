import { allocate } from "./heap";

/** The part of the data in work, what its matches may reach back to, and what is waiting behind it. */

export const WINDOW_BYTES: i32 = 32 * 1024;
/** Bytes are compared and hashed by the word, beyond the end of the data. */
const SPARE_BYTES: usize = 32;

let window: usize = 0;
let capacity: i32 = 0;
/** Where the segment begins in the stream. */
let from: i32 = 0;
/** How many bytes are there, from the segment's first on. */
let size: i32 = 0;

/**
 * Makes room for a stream's segments.
 * @param segmentBytes of the longest
 * @param waitingBytes may stand behind it
 */
export function beginSegments(segmentBytes: i32, waitingBytes: i32): void {
  capacity = segmentBytes + waitingBytes;
  window = allocate(<usize>(WINDOW_BYTES + capacity) + SPARE_BYTES);
  from = 0;
  size = 0;
}

/** The segment's first byte; 32 KB before it are those that came before. */
export function segmentAt(): usize {
  return window + WINDOW_BYTES;
}

/** Where in the stream the segment begins. */
export function segmentFrom(): i32 {
  return from;
}

/** The address of place 0 of the stream. */
export function dataAt(): usize {
  return segmentAt() - from;
}

/** Where the next bytes of the stream go, and their place. */
export function freeAt(): usize {
  return segmentAt() + size;
}

export function placeOfFree(): i32 {
  return from + size;
}

export function dataBytes(): i32 {
  return size;
}

/** Bytes were put where there was room. */
export function added(bytes: i32): void {
  size += bytes;
}

/** Goes on to the next segment. @param bytes of this one */
export function leaveSegment(bytes: i32): void {
  const kept = min(WINDOW_BYTES, from + bytes);
  const start = segmentAt() + bytes - kept;
  memory.copy(segmentAt() - kept, start, kept + size - bytes);
  from += bytes;
  size -= bytes;
}
