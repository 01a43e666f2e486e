const WINDOW_MS = 10_000;
/** Fewer than these tell nothing. */
const ENOUGH_MS = 2000;

interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/** How fast bytes went in the last ten seconds. */
export class TransferRate {
  #samples: Sample[] = [];

  /** @param bytes all that were ever sent @param at milliseconds */
  note(bytes: number, at: number): void {
    const last = this.#samples.at(-1);
    // A computer that slept, or a queue that waited: what was before says nothing.
    if (last !== undefined && (at - last.at > WINDOW_MS || bytes < last.bytes)) this.#samples = [];
    if (last !== undefined && at - last.at < 250) return;
    this.#samples.push({ at, bytes });
    while (at - (this.#samples[0]?.at ?? at) > WINDOW_MS) this.#samples.shift();
  }

  forget(): void {
    this.#samples = [];
  }

  /** @returns whole seconds; undefined where it cannot be said */
  secondsFor(leftBytes: number): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < ENOUGH_MS) return undefined;
    const bytesPerMs = (last.bytes - first.bytes) / (last.at - first.at);
    return bytesPerMs > 0 ? Math.ceil(leftBytes / bytesPerMs / 1000) : undefined;
  }
}
