// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table, and blocks are many

import { DISTANCES, FIRST_LENGTH, LENGTH_CODE, LITERALS_AND_LENGTHS, MAX_MATCH, MIN_MATCH } from "./alphabets.ts";
import { DISTANCES_AT, LENGTHS_AT } from "./engine-symbols.ts";

/** Counts of DEFLATE's symbols. */
export class SymbolCounts {
  readonly literalsAndLengths = new Uint32Array(LITERALS_AND_LENGTHS);
  readonly distances = new Uint32Array(DISTANCES);

  /** @param counts the engine's */
  static fromEngine(counts: Uint32Array): SymbolCounts {
    const result = new SymbolCounts();
    result.literalsAndLengths.set(counts.subarray(0, LENGTHS_AT));
    for (let length = MIN_MATCH; length <= MAX_MATCH; length++) {
      result.literalsAndLengths[FIRST_LENGTH + LENGTH_CODE[length]!]! += counts[LENGTHS_AT + length]!;
    }
    result.distances.set(counts.subarray(DISTANCES_AT));
    return result;
  }

  add(other: SymbolCounts): void {
    for (let i = 0; i < LITERALS_AND_LENGTHS; i++) this.literalsAndLengths[i]! += other.literalsAndLengths[i]!;
    for (let i = 0; i < DISTANCES; i++) this.distances[i]! += other.distances[i]!;
  }
}
