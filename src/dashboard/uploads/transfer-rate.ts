const WINDOW_MS = 10_000;
/** A shorter period allows no estimate. */
const ENOUGH_MS = 2000;

interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/** The transfer rate of the last ten seconds. */
export class TransferRate {
  #samples: Sample[] = [];

  /** @param bytes sent in total @param at milliseconds */
  note(bytes: number, at: number): void {
    const last = this.#samples.at(-1);
    // Samples before a sleep or a pause are useless.
    if (last !== undefined && (at - last.at > WINDOW_MS || bytes < last.bytes)) this.#samples = [];
    if (last !== undefined && at - last.at < 250) return;
    this.#samples.push({ at, bytes });
    while (at - (this.#samples[0]?.at ?? at) > WINDOW_MS) this.#samples.shift();
  }

  forget(): void {
    this.#samples = [];
  }

  /** @returns whole seconds; undefined if it cannot be estimated */
  secondsFor(leftBytes: number): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < ENOUGH_MS) return undefined;
    const bytesPerMs = (last.bytes - first.bytes) / (last.at - first.at);
    return bytesPerMs > 0 ? Math.ceil(leftBytes / bytesPerMs / 1000) : undefined;
  }
}
