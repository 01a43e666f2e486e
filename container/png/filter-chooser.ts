import { FILTER_TYPES, filterRow, NONE } from "./filters.ts";

/**
 * Chooses each row's filter by the entropy of the filtered bytes: over photographs, screenshots and 16-bit images that left less to
 * deflate than the sum of absolute differences that the standard suggests (PNG, third edition, 12.7).
 */
export class FilterChooser {
  readonly #step: number;
  readonly #counts = new Uint32Array(256);
  /** n * log2(n), for every count that a row can have. */
  #weights = new Float64Array(0);
  #trials: readonly Uint8Array[] = [];

  /** @param step bytes from a pixel to the next, at least 1 */
  constructor(step: number) {
    this.#step = step;
  }

  /** @returns the filter and the filtered bytes, valid until the next call */
  choose(row: Uint8Array, previous: Uint8Array): { filter: number; filtered: Uint8Array } {
    if (this.#weights.length !== row.length + 1) this.#prepare(row.length);
    let best = { filter: NONE, filtered: row };
    let bestOrder = Number.NEGATIVE_INFINITY;
    for (const [filter, filtered] of this.#trials.entries()) {
      filterRow(filter, row, previous, this.#step, filtered);
      const order = this.#order(filtered);
      if (order > bestOrder) {
        best = { filter, filtered };
        bestOrder = order;
      }
    }
    return best;
  }

  #prepare(rowBytes: number): void {
    this.#weights = Float64Array.from({ length: rowBytes + 1 }, (_, n) => (n === 0 ? 0 : n * Math.log2(n)));
    this.#trials = Array.from({ length: FILTER_TYPES }, () => new Uint8Array(rowBytes));
  }

  /** How ordered a row is: what its entropy is short of the most that a row of this length can have. */
  #order(row: Uint8Array): number {
    const counts = this.#counts.fill(0);
    for (let i = 0; i < row.length; i++) counts[row[i] as number] = (counts[row[i] as number] as number) + 1;
    let order = 0;
    for (let value = 0; value < counts.length; value++) order += this.#weights[counts[value] as number] as number;
    return order;
  }
}
