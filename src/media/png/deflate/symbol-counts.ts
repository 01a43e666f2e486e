// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

import { DISTANCE_CODE, DISTANCES, FIRST_LENGTH, LENGTH_CODE, LITERALS_AND_LENGTHS } from "./alphabets.ts";

/**
 * Tokens are literals, below 256, or matches: length << 16 | distance - 1.
 * This is how often their symbols occur.
 */
export class SymbolCounts {
  readonly literalsAndLengths = new Uint32Array(LITERALS_AND_LENGTHS);
  readonly distances = new Uint32Array(DISTANCES);

  clear(): void {
    this.literalsAndLengths.fill(0);
    this.distances.fill(0);
  }

  addTokens(tokens: Uint32Array, from: number, to: number): void {
    const { literalsAndLengths, distances } = this;
    for (let i = from; i < to; i++) {
      const token = tokens[i]!;
      if (token < 256) literalsAndLengths[token]!++;
      else {
        literalsAndLengths[FIRST_LENGTH + LENGTH_CODE[token >>> 16]!]!++;
        distances[DISTANCE_CODE[token & 0xffff]!]!++;
      }
    }
  }

  addCounts(other: SymbolCounts): void {
    for (let i = 0; i < LITERALS_AND_LENGTHS; i++) this.literalsAndLengths[i]! += other.literalsAndLengths[i]!;
    for (let i = 0; i < DISTANCES; i++) this.distances[i]! += other.distances[i]!;
  }
}
