// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

import { LITERALS_AND_LENGTHS } from "./alphabets.ts";
import { BitWriter } from "./bit-writer.ts";
import { CheapestTokens, EVERY_LENGTH, ROUGH_LENGTHS, type Segment } from "./cheapest-tokens.ts";
import { chooseEffort } from "./choose-effort.ts";
import { MatchFinder } from "./match-finder.ts";
import { splitBlocks } from "./split-blocks.ts";
import { SymbolCosts } from "./symbol-costs.ts";
import { SymbolCounts } from "./symbol-counts.ts";
import { writeBlock } from "./write-block.ts";

/** Matches do not cross from one to the next; each is split into blocks. */
const SEGMENT_BYTES = 512 * 1024;
const ZLIB_HEADER = 0xda78;

/**
 * A zlib stream (RFC 1950) that is smaller than zlib's own: all ways of writing the data are weighed by what they cost,
 * not just the longest match taken. Memory beside the data and the result stays below 15 MB.
 * @param data at least one byte
 */
export function deflate(data: Uint8Array, effort = chooseEffort(data)): Uint8Array<ArrayBuffer>[] {
  const out = new BitWriter();
  out.write(ZLIB_HEADER, 16);
  const segmentBytes = Math.min(SEGMENT_BYTES, data.length);
  const finder = new MatchFinder(data, segmentBytes, effort);
  const cheapest = new CheapestTokens(segmentBytes);
  const tokens = new Uint32Array(segmentBytes);
  const costs = new SymbolCosts();
  const counts = guess(data.subarray(0, segmentBytes));
  for (let from = 0; from < data.length; from += SEGMENT_BYTES) {
    const to = Math.min(data.length, from + SEGMENT_BYTES);
    finder.find(from, to);
    const segment: Segment = { data: data.subarray(from, to), starts: finder.starts, matches: finder.matches };
    let size = 0;
    for (let pass = effort.isThorough ? 0 : 1; pass < 2; pass++) {
      costs.set(counts);
      size = cheapest.choose(segment, { from: 0, to: to - from }, costs, ROUGH_LENGTHS, tokens);
      counts.clear();
      counts.addTokens(tokens, 0, size);
    }
    const blocks = splitBlocks(tokens, size);
    const sizes = blocks.map(({ from, to }) => sumLengths(tokens.subarray(from, to)));
    let start = 0;
    for (const [index, block] of blocks.entries()) {
      const end = start + sizes[index]!;
      costs.set(block.counts);
      const chosen = cheapest.choose(segment, { from: start, to: end }, costs, EVERY_LENGTH, tokens);
      writeBlock(out, tokens, chosen, end === to - from && to === data.length);
      start = end;
    }
  }
  return [...out.finish(), checksum(data)];
}

function sumLengths(tokens: Uint32Array): number {
  return tokens.reduce((sum, token) => sum + (token < 256 ? 1 : token >>> 16), 0);
}

/** Before anything is known: literals come as often as they are there, matches of all kinds alike. */
function guess(data: Uint8Array): SymbolCounts {
  const counts = new SymbolCounts();
  for (const value of data) counts.literalsAndLengths[value]!++;
  counts.literalsAndLengths.fill(data.length / 64, 257, LITERALS_AND_LENGTHS);
  counts.distances.fill(1);
  return counts;
}

/** Adler-32 (RFC 1950, 8.2). */
function checksum(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const MODULUS = 65521;
  // As many sums stay exact.
  const STRETCH = 3800;
  let a = 1;
  let b = 0;
  for (let from = 0; from < data.length; from += STRETCH) {
    const to = Math.min(data.length, from + STRETCH);
    for (let at = from; at < to; at++) {
      a += data[at]!;
      b += a;
    }
    a %= MODULUS;
    b %= MODULUS;
  }
  return Uint8Array.of(b >> 8, b, a >> 8, a);
}
