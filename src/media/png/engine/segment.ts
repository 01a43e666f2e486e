import { allocate } from "./heap";

/** The current part of the data, the window of its matches before it, and data that waits after it. */

export const WINDOW_BYTES: i32 = 32 * 1024;
/** Bytes are compared and hashed as words, which reach beyond the end of the data. */
const SPARE_BYTES: usize = 32;

let window: usize = 0;
let capacity: i32 = 0;
/** Start of the segment in the stream. */
let from: i32 = 0;
/** Bytes available from the segment's start. */
let size: i32 = 0;

/**
 * Makes room for a stream's segments.
 * @param segmentBytes of the longest segment
 * @param waitingBytes the most that may wait after it
 */
export function beginSegments(segmentBytes: i32, waitingBytes: i32): void {
  capacity = segmentBytes + waitingBytes;
  window = allocate(<usize>(WINDOW_BYTES + capacity) + SPARE_BYTES);
  from = 0;
  size = 0;
}

/** The address of the segment's first byte. The 32 KB before it are the previous data. */
export function segmentAt(): usize {
  return window + WINDOW_BYTES;
}

/** Start of the segment in the stream. */
export function segmentFrom(): i32 {
  return from;
}

/** The address of place 0 of the stream. */
export function dataAt(): usize {
  return segmentAt() - from;
}

/** The address for the next bytes of the stream, and their place. */
export function freeAt(): usize {
  return segmentAt() + size;
}

export function placeOfFree(): i32 {
  return from + size;
}

export function dataBytes(): i32 {
  return size;
}

/** Called after bytes were written to `freeAt`. */
export function added(bytes: i32): void {
  size += bytes;
}

/** Moves to the next segment. @param bytes of this one */
export function leaveSegment(bytes: i32): void {
  const kept = min(WINDOW_BYTES, from + bytes);
  const start = segmentAt() + bytes - kept;
  memory.copy(segmentAt() - kept, start, kept + size - bytes);
  from += bytes;
  size -= bytes;
}
