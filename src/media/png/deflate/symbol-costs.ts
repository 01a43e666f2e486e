// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table, and blocks are many

import * as alphabets from "./alphabets.ts";
import { DISTANCES_AT, LENGTHS_AT } from "./engine-symbols.ts";
import type { SymbolCounts } from "./symbol-counts.ts";

const { DISTANCES, DISTANCE_EXTRA_BITS, FIRST_LENGTH, LENGTH_CODE, LENGTH_EXTRA_BITS, MAX_MATCH, MIN_MATCH } =
  alphabets;

/** Costs are whole numbers, in this part of a bit. */
const PER_BIT = 64;
const LONGEST_CODE = 15;

/**
 * Sets the costs of literals, lengths and distances for these counts, including extra bits.
 * @param costs the engine's, which are set
 */
export function setCosts(costs: Uint32Array, { literalsAndLengths, distances }: SymbolCounts): void {
  const cost = costOf(literalsAndLengths);
  for (let value = 0; value < 256; value++) costs[value] = cost(literalsAndLengths[value]!);
  const lengthCosts = Array.from(
    LENGTH_EXTRA_BITS,
    (extra, code) => cost(literalsAndLengths[FIRST_LENGTH + code]!) + PER_BIT * extra,
  );
  for (let length = MIN_MATCH; length <= MAX_MATCH; length++) {
    costs[LENGTHS_AT + length] = lengthCosts[LENGTH_CODE[length]!]!;
  }
  const distanceCost = costOf(distances);
  for (let code = 0; code < DISTANCES; code++) {
    costs[DISTANCES_AT + code] = distanceCost(distances[code]!) + PER_BIT * DISTANCE_EXTRA_BITS[code]!;
  }
}

/** The entropy, within the limits of a Huffman code. A symbol that did not occur costs a little more than the rarest symbol. */
function costOf(counts: Uint32Array): (count: number) => number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return () => 5 * PER_BIT;
  return (count) => {
    const bits = count === 0 ? Math.log2(total) + 0.5 : Math.log2(total / count);
    return Math.round(PER_BIT * Math.min(LONGEST_CODE, Math.max(1, bits)));
  };
}
