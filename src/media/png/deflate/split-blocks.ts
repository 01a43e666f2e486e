// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

import { SymbolCounts } from "./symbol-counts.ts";

const LEAST_TOKENS = 1024;
/** Approximate size of a block's header: itself, and for each symbol that occurs. */
const HEADER_BITS = 60;
const BITS_PER_SYMBOL = 3.5;

export interface Block {
  /** Tokens. */
  readonly from: number;
  readonly to: number;
  readonly counts: SymbolCounts;
  readonly bits: number;
}

/**
 * Splits the tokens into blocks that pay for their own codes: neighbours are joined, the largest saving first, while joining saves bits.
 * @param size the number of tokens
 * @param count counts the symbols of a range of tokens
 */
export function splitBlocks(size: number, count: (from: number, to: number) => SymbolCounts): Block[] {
  const blocks: Block[] = [];
  for (let from = 0; from < size; from += LEAST_TOKENS) {
    const to = Math.min(size, from + LEAST_TOKENS);
    const counts = count(from, to);
    blocks.push({ from, to, counts, bits: estimateBits(counts) });
  }
  const joined = blocks.slice(1).map((block, index) => join(blocks[index]!, block));
  for (;;) {
    const gains = joined.map(({ bits }, index) => blocks[index]!.bits + blocks[index + 1]!.bits - bits);
    const index = gains.indexOf(gains.reduce((most, gain) => Math.max(most, gain), 0));
    if (index === -1 || gains[index] === 0) return blocks;
    blocks.splice(index, 2, joined[index]!);
    joined.splice(index, 1);
    if (index > 0) joined[index - 1] = join(blocks[index - 1]!, blocks[index]!);
    if (index < joined.length) joined[index] = join(blocks[index]!, blocks[index + 1]!);
  }
}

function join(a: Block, b: Block): Block {
  const counts = new SymbolCounts();
  counts.add(a.counts);
  counts.add(b.counts);
  return { from: a.from, to: b.to, counts, bits: estimateBits(counts) };
}

function estimateBits({ literalsAndLengths, distances }: SymbolCounts): number {
  return HEADER_BITS + entropyBits(literalsAndLengths) + entropyBits(distances);
}

function entropyBits(counts: Uint32Array): number {
  let total = 0;
  let bits = 0;
  for (const count of counts) {
    if (count === 0) continue;
    total += count;
    bits += BITS_PER_SYMBOL - count * Math.log2(count);
  }
  return total === 0 ? 0 : bits + total * Math.log2(total);
}
