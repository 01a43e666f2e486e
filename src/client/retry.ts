import { MediaHostError } from "./media-host-error.ts";

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 30_000;

/** One call's tries: how many in a row may fail, and how long it waits between them. */
export class Retries {
  readonly #most: number;
  readonly #signal: AbortSignal | undefined;
  readonly #isPatient: boolean;
  #failed = 0;

  /** @param isPatient whether a network that is away is waited for, and no try lost by it */
  constructor(most: number, signal: AbortSignal | undefined, isPatient: boolean) {
    this.#most = most;
    this.#signal = signal;
    this.#isPatient = isPatient;
  }

  /** Something was achieved: the tries that failed before count no more. */
  progressed(): void {
    this.#failed = 0;
  }

  /**
   * Waits until the next try: as long as the service asks for, else twice as long each time, by chance (full jitter).
   * @throws the error where no try is left, or none would help; the signal's reason where it was aborted
   */
  async after(error: unknown): Promise<void> {
    this.#signal?.throwIfAborted();
    if (!(error instanceof MediaHostError) || !error.retryable) throw error;
    if (this.#isPatient && this.#most > 0 && error.statusCode === 0 && isOffline()) {
      // Browsers do not always say when it is back.
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
