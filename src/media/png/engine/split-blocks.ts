import { allocate } from "./heap";
import { addLooks } from "./looks";
import { addCounts, COUNTS_BYTES, countsAt, LITERALS_AND_LENGTHS, SYMBOLS } from "./symbols";
import { bytesOfTokens, countTokens } from "./tokens";
import { weight } from "./weight";

/** Splits the tokens into blocks that pay for their own codes: neighbours are joined, the largest saving first, while joining saves bits. */

const LEAST_TOKENS: i32 = 1024;
/** Approximate size of a block's header: itself, and for each symbol that occurs. */
const HEADER_BITS: f64 = 60;
const BITS_PER_SYMBOL: f64 = 3.5;
/** An estimate takes as long as this many comparisons. */
const ESTIMATE_LOOKS: i32 = 64;

@unmanaged
class Block {
  counts: usize;
  /** Bytes of the data. */
  bytes: i32;
  bits: f64;
  /** The bits that joining this block with the next one saves. */
  gain: f64;
}

const BLOCK_BYTES: usize = 32;

let blocks: usize = 0;
let rows: usize = 0;
let blockCount: i32 = 0;

/** @param segmentBytes the most tokens */
export function layOutBlocks(segmentBytes: i32): void {
  const most = <usize>(segmentBytes / LEAST_TOKENS + 1);
  blocks = allocate(most * BLOCK_BYTES);
  rows = allocate(most * COUNTS_BYTES);
}

/** @param size the number of tokens @returns the number of blocks */
export function splitBlocks(size: i32): i32 {
  blockCount = 0;
  for (let from = 0; from < size; from += LEAST_TOKENS) {
    const to = min(size, from + LEAST_TOKENS);
    const block = blockOf(blockCount);
    block.counts = rows + <usize>blockCount * COUNTS_BYTES;
    countTokens(from, to);
    memory.copy(block.counts, countsAt(), COUNTS_BYTES);
    block.bytes = bytesOfTokens(from, to);
    block.bits = estimateBits();
    blockCount += 1;
  }
  for (let i = 0; i < blockCount; i++) weighJoining(i);
  while (joinBest()) {}
  return blockCount;
}

/** The number of data bytes in a block. */
export function bytesOfBlock(index: i32): i32 {
  return blockOf(index).bytes;
}

/** The counts of a block's symbols, in the form of `countsAt`. */
export function countsOfBlock(index: i32): usize {
  return blockOf(index).counts;
}

function blockOf(index: i32): Block {
  return changetype<Block>(blocks + <usize>index * BLOCK_BYTES);
}

function joinBest(): bool {
  let most: f64 = 0;
  let best = -1;
  for (let i = 0; i < blockCount; i++) {
    const gain = blockOf(i).gain;
    if (gain <= most) continue;
    most = gain;
    best = i;
  }
  if (best < 0) return false;
  const block = blockOf(best);
  const next = blockOf(best + 1);
  addCounts(block.counts, next.counts);
  block.bytes += next.bytes;
  block.bits += next.bits - most;
  blockCount -= 1;
  const after = changetype<usize>(next);
  memory.copy(after, after + BLOCK_BYTES, <usize>(blockCount - best - 1) * BLOCK_BYTES);
  weighJoining(best);
  if (best > 0) weighJoining(best - 1);
  return true;
}

function weighJoining(index: i32): void {
  const block = blockOf(index);
  block.gain = 0;
  if (index === blockCount - 1) return;
  const next = blockOf(index + 1);
  memory.copy(countsAt(), block.counts, COUNTS_BYTES);
  addCounts(countsAt(), next.counts);
  block.gain = block.bits + next.bits - estimateBits();
}

/** The approximate size of a block with the current counts. */
function estimateBits(): f64 {
  addLooks(ESTIMATE_LOOKS);
  return HEADER_BITS + entropyBits(0, LITERALS_AND_LENGTHS) + entropyBits(LITERALS_AND_LENGTHS, SYMBOLS);
}

function entropyBits(from: i32, to: i32): f64 {
  let total: u32 = 0;
  let bits: f64 = 0;
  for (let symbol = from; symbol < to; symbol++) {
    const count = load<u32>(countsAt() + ((<usize>symbol) << 2));
    if (count === 0) continue;
    total += count;
    bits += BITS_PER_SYMBOL - weight(count);
  }
  return bits + weight(total);
}
