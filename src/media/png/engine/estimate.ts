import { allocate } from "./heap";
import { addLooks } from "./looks";
import { distanceExtraBits, distanceSymbol } from "./symbols";
import { weight } from "./weight";

/** Estimates the deflated size of bytes: a fast search for matches, and the entropy of its result. */

const HASH_BITS: i32 = 14;
const TABLE_BYTES: usize = 4 << HASH_BITS;
const MIN_MATCH: i32 = 4;
const MAX_MATCH: i32 = 258;
const WINDOW_BYTES: i32 = 32 * 1024;
/** If no match is found for long, only some places are searched. */
const PATIENCE: i32 = 6;

/** The last place of 4 bytes, by their hash: i32. One table each for the settled lines, the best candidate and the current trial. */
let settled: usize = 0;
let best: usize = 0;
let trial: usize = 0;

const LITERALS: i32 = 256;
const LENGTHS: i32 = 32;
const DISTANCES: i32 = 32;
const literals = memory.data(LITERALS * 4, 16);
const lengths = memory.data(LENGTHS * 4, 16);
const distances = memory.data(DISTANCES * 4, 16);

export function beginEstimates(): void {
  settled = allocate(TABLE_BYTES);
  best = allocate(TABLE_BYTES);
  trial = allocate(TABLE_BYTES);
  memory.fill(settled, 0x80, TABLE_BYTES);
}

/**
 * The deflated size of some bytes, in bits.
 * @param data the address of place 0 of the stream; settled bytes are before `from`
 */
export function estimateBits(data: usize, from: i32, to: i32): f64 {
  memory.copy(trial, settled, TABLE_BYTES);
  memory.fill(literals, 0, LITERALS * 4);
  memory.fill(lengths, 0, LENGTHS * 4);
  memory.fill(distances, 0, DISTANCES * 4);
  let extraBits = 0;
  let literalCount: u32 = 0;
  let matchCount: u32 = 0;
  let misses = 0;
  let looked = 0;
  let at = from;
  while (at < to) {
    looked++;
    const here = data + at;
    const most = min(MAX_MATCH, to - at);
    const slot = slotOf(here);
    const place = load<i32>(slot);
    store<i32>(slot, at);
    let length = 0;
    if (place >= max(0, at - WINDOW_BYTES) && load<u32>(data + place) === load<u32>(here)) {
      length = matchLength(data + place, here, most);
    }
    if (length < MIN_MATCH) {
      misses += 1;
      const skipped = min(to - at, 1 + (misses >> PATIENCE));
      for (let i = 0; i < skipped; i++) increment(literals, load<u8>(here + i));
      literalCount += skipped;
      at += skipped;
      continue;
    }
    misses = 0;
    const less = at - place - 1;
    const lengthLess = length - 3;
    const lengthExtra = lengthLess < 8 || length === MAX_MATCH ? 0 : 29 - clz(lengthLess);
    increment(lengths, lengthExtra === 0 ? min(lengthLess, 8) : (lengthExtra << 2) + (lengthLess >> lengthExtra));
    increment(distances, distanceSymbol(less));
    extraBits += lengthExtra + distanceExtraBits(less);
    matchCount += 1;
    const end = at + length;
    // A few places inside the match are enough.
    for (let i = at + 1; i < end - 4 && i < at + 16; i += 3) store<i32>(slotOf(data + i), i);
    store<i32>(slotOf(data + end - 2), end - 2);
    at = end;
  }
  addLooks(looked);
  return (
    weight(literalCount + matchCount) +
    weight(matchCount) -
    sumOfWeights(literals, LITERALS) -
    sumOfWeights(lengths, LENGTHS) -
    sumOfWeights(distances, DISTANCES) +
    <f64>extraBits
  );
}

/** Keeps the last estimate as the best one. */
export function keepEstimate(): void {
  const other = best;
  best = trial;
  trial = other;
}

/** Settles the best estimate: its bytes come before all later estimates. */
export function settleEstimate(): void {
  const other = settled;
  settled = best;
  best = other;
}

function slotOf(at: usize): usize {
  return trial + ((<usize>((load<u32>(at) * 0x9e3779b1) >> (32 - HASH_BITS))) << 2);
}

function increment(counts: usize, value: i32): void {
  const at = counts + ((<usize>value) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

function sumOfWeights(counts: usize, count: i32): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < count; i++) sum += weight(load<u32>(counts + ((<usize>i) << 2)));
  return sum;
}

function matchLength(earlier: usize, here: usize, most: i32): i32 {
  for (let length = 0; length < most; length += 16) {
    const same = i8x16.bitmask(i8x16.eq(v128.load(earlier + length), v128.load(here + length)));
    if (same !== 0xffff) return min(most, length + ctz(~same));
  }
  return most;
}
