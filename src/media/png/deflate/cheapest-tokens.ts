// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

import { DISTANCE_CODE, LENGTH_CODE, MAX_MATCH, MIN_MATCH } from "./alphabets.ts";
import type { SymbolCosts } from "./symbol-costs.ts";

/** Every length is tried, or only the longest of those that share a symbol: faster, and good enough to count symbols. */
export const EVERY_LENGTH = Uint16Array.from(LENGTH_CODE, (_, length) => length);
export const ROUGH_LENGTHS = Uint16Array.from(LENGTH_CODE, (code) => LENGTH_CODE.lastIndexOf(code));

/** A segment of the data, and the matches in it as MatchFinder tells them. */
export interface Segment {
  readonly data: Uint8Array;
  readonly starts: Uint32Array;
  readonly matches: Uint32Array;
}

/** The cheapest way through a part of a segment, from its end to its start: the shortest path in a graph without cycles. */
export class CheapestTokens {
  readonly #costs: Int32Array;
  readonly #choices: Uint32Array;

  constructor(maxSegmentBytes: number) {
    this.#costs = new Int32Array(maxSegmentBytes + 1);
    this.#choices = new Uint32Array(maxSegmentBytes);
  }

  /**
   * @param steps EVERY_LENGTH or ROUGH_LENGTHS
   * @param tokens takes the result
   * @returns how many they are
   */
  choose(
    { data, starts, matches }: Segment,
    { from, to }: { readonly from: number; readonly to: number },
    price: SymbolCosts,
    steps: Uint16Array,
    tokens: Uint32Array,
  ): number {
    const costs = this.#costs;
    const choices = this.#choices;
    const { literals, lengths, distances } = price;
    costs[to] = 0;
    for (let at = to - 1; at >= from; at--) {
      let choice: number = data[at]!;
      let lowest = literals[choice]! + costs[at + 1]!;
      let length = MIN_MATCH;
      for (let next = starts[at]!, end = starts[at + 1]!; next < end; next++) {
        const match = matches[next]!;
        const longest = Math.min(match >>> 16, to - at);
        const distanceCost = distances[DISTANCE_CODE[match & 0xffff]!]!;
        if (longest === MAX_MATCH) length = longest;
        // What is shorter was cheaper with the match before, as that is nearer.
        while (length <= longest) {
          const tried = Math.min(longest, steps[length]!);
          const cost = distanceCost + lengths[tried]! + costs[at + tried]!;
          if (cost < lowest) {
            lowest = cost;
            choice = (tried << 16) | (match & 0xffff);
          }
          length = tried + 1;
        }
      }
      costs[at] = lowest;
      choices[at] = choice;
    }
    let size = 0;
    for (let at = from; at < to; size++) {
      const token = choices[at]!;
      tokens[size] = token;
      at += token < 256 ? 1 : token >>> 16;
    }
    return size;
  }
}
