// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

import { FILTER_TYPES, filterRow, NONE } from "./filters.ts";

/**
 * Chooses a row's filter by the entropy of the filtered bytes: over photographs, screenshots and 16-bit images that leaves
 * less to deflate than the sum of absolute differences that the standard suggests (PNG, 12.7).
 */
export class FilterChooser {
  readonly #step: number;
  readonly #counts = new Uint32Array(256);
  /** n * log2(n), for every count that a row can have. */
  readonly #weights: Float64Array;
  readonly #trials: readonly Uint8Array[];

  /** @param step bytes from a pixel to the next, at least 1 */
  constructor(rowBytes: number, step: number) {
    this.#step = step;
    this.#weights = Float64Array.from({ length: rowBytes + 1 }, (_, n) => (n === 0 ? 0 : n * Math.log2(n)));
    this.#trials = Array.from({ length: FILTER_TYPES }, () => new Uint8Array(rowBytes));
  }

  /** @param target takes the filter and the filtered bytes */
  choose(row: Uint8Array, previous: Uint8Array, target: Uint8Array): void {
    let best = NONE;
    let bestOrder = -1;
    for (const [filter, filtered] of this.#trials.entries()) {
      filterRow(filter, row, previous, this.#step, filtered);
      const order = this.#order(filtered);
      if (order > bestOrder) {
        best = filter;
        bestOrder = order;
      }
    }
    target[0] = best;
    target.set(this.#trials[best]!, 1);
  }

  /** How ordered a row is: what its entropy is short of the most that a row of this length can have. */
  #order(row: Uint8Array): number {
    const counts = this.#counts.fill(0);
    const weights = this.#weights;
    for (let i = 0; i < row.length; i++) counts[row[i]!]!++;
    let order = 0;
    for (let value = 0; value < 256; value++) order += weights[counts[value]!]!;
    return order;
  }
}
