/** Once the first requests of a kind are logged, the log takes one request in this many. */
const SAMPLED_OF = 100;
const PERIOD_MS = 10_000;

/** Chooses the requests of an isolate that are logged. The first few of a kind in ten seconds are logged, then one of a hundred. */
export class LogSampler<Kind extends string> {
  readonly #free: Readonly<Record<Kind, number>>;
  readonly #counts = new Map<Kind, number>();
  #period = 0;

  /** @param free how many of a kind are logged in ten seconds before the others are sampled */
  constructor(free: Readonly<Record<Kind, number>>) {
    this.#free = free;
  }

  /**
   * @param kind undefined for requests that are always logged
   * @returns for how many requests a line stands; 0 if this request is not logged
   */
  take(kind: Kind | undefined, now: number): number {
    if (kind === undefined) return 1;
    const period = Math.floor(now / PERIOD_MS);
    if (period !== this.#period) this.#counts.clear();
    this.#period = period;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count <= this.#free[kind]) return 1;
    // A random choice has no bias in an isolate that ends soon.
    return Math.random() * SAMPLED_OF < 1 ? SAMPLED_OF : 0;
  }
}
