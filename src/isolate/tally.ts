/** Counts under names, a bounded number of them. Taking them begins anew, in the same moment. */
export class Tally {
  readonly #maxNames: number;
  #counts = new Map<string, number>();

  constructor(maxNames: number) {
    this.#maxNames = maxNames;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** @returns false where there are too many names: nothing is counted then */
  add(name: string, amount: number): boolean {
    const counted = this.#counts.get(name);
    if (counted === undefined && this.#counts.size >= this.#maxNames) return false;
    this.#counts.set(name, (counted ?? 0) + amount);
    return true;
  }

  take(): Map<string, number> {
    const taken = this.#counts;
    this.#counts = new Map();
    return taken;
  }
}
