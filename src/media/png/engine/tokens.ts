import { writeBits } from "./bit-writer";
import { allocate } from "./heap";
import {
  clearCounts,
  codesAt,
  countsAt,
  distance,
  distanceCount,
  distanceExtraBits,
  distanceSymbol,
  length,
  lengthCount,
  literal,
} from "./symbols";

/** A token is a literal, below 256, or a match: length << 16 | distance - 1. Each is a u32. */

let tokens: usize = 0;

/** @param segmentBytes the most tokens */
export function layOutTokens(segmentBytes: i32): void {
  tokens = allocate((<usize>segmentBytes) << 2);
}

export function tokenAt(index: i32): usize {
  return tokens + ((<usize>index) << 2);
}

/** Counts the symbols of some tokens. */
export function countTokens(from: i32, to: i32): void {
  clearCounts();
  const counts = countsAt();
  for (let at = tokenAt(from); at < tokenAt(to); at += 4) {
    const token = load<u32>(at);
    if (token < 256) increment(literal(counts, token));
    else {
      increment(lengthCount(token >> 16));
      increment(distanceCount(distanceSymbol(token & 0xffff)));
    }
  }
}

function increment(count: usize): void {
  store<u32>(count, load<u32>(count) + 1);
}

/** The number of data bytes that some tokens represent. */
export function bytesOfTokens(from: i32, to: i32): i32 {
  let bytes = 0;
  for (let at = tokenAt(from); at < tokenAt(to); at += 4) {
    const token = load<u32>(at);
    bytes += token < 256 ? 1 : token >> 16;
  }
  return bytes;
}

/** Writes the first `size` tokens with the host's codes. */
export function writeTokens(size: i32): void {
  const codes = codesAt();
  for (let at = tokenAt(0); at < tokenAt(size); at += 4) {
    const token = load<u32>(at);
    if (token < 256) {
      writeCode(literal(codes, token));
      continue;
    }
    writeCode(length(codes, token >> 16));
    const less = <i32>(token & 0xffff);
    const extraBits = distanceExtraBits(less);
    writeCode(distance(codes, distanceSymbol(less)));
    writeBits(less & ((1 << extraBits) - 1), extraBits);
  }
}

function writeCode(at: usize): void {
  const code = load<u32>(at);
  writeBits(code & 0xffffff, code >> 24);
}
