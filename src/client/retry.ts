import { MediaHostError } from "./media-host-error.ts";

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 30_000;

/** The consecutive retries of one call, and the waits between them. */
export class Retries {
  readonly #most: number;
  readonly #signal: AbortSignal | undefined;
  readonly #isPatient: boolean;
  #failed = 0;

  /** @param isPatient whether a lost network is waited for without using up a try */
  constructor(most: number, signal: AbortSignal | undefined, isPatient: boolean) {
    this.#most = most;
    this.#signal = signal;
    this.#isPatient = isPatient;
  }

  /** Resets the count of failed tries after progress. */
  progressed(): void {
    this.#failed = 0;
  }

  /**
   * Waits until the next try: as long as the service asks, else with exponential back-off and full jitter.
   * @throws the error if no try is left or no retry would help; the signal's reason if it was aborted
   */
  async after(error: unknown): Promise<void> {
    this.#signal?.throwIfAborted();
    if (!(error instanceof MediaHostError) || !error.retryable) throw error;
    if (this.#isPatient && this.#most > 0 && error.statusCode === 0 && isOffline()) {
      // Browsers do not always report that the network is back.
      while (isOffline()) await wait(FIRST_DELAY_MS, this.#signal);
      return;
    }
    const { retryAfterSeconds } = error;
    if (this.#failed >= this.#most) throw error;
    const longestMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#failed);
    this.#failed += 1;
    await wait(retryAfterSeconds === undefined ? Math.random() * longestMs : retryAfterSeconds * 1000, this.#signal);
  }
}

function isOffline(): boolean {
  return (globalThis as { navigator?: { onLine?: boolean } }).navigator?.onLine === false;
}

/** @throws the signal's reason */
function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
  });
}
