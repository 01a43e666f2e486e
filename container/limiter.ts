import { Refusal } from "./refusal.ts";

const RETRY_AFTER_SECONDS = 5;

interface Waiter {
  start: () => void;
}

/** Runs at most `maxRunning` jobs at once, in order of arrival. At most `maxWaiting` more may wait. */
export class Limiter {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<Waiter>();
  #running = 0;

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  get load(): { running: number; waiting: number } {
    return { running: this.#running, waiting: this.#waiting.size };
  }

  /** @throws Refusal 503 when the queue is full, the signal's reason when it fires before the job's turn */
  async run<T>(signal: AbortSignal, job: () => Promise<T>): Promise<T> {
    await this.#turn(signal);
    try {
      return await job();
    } finally {
      // The next job takes over this place at once, so that a job that arrives now cannot overtake it.
      const [next] = this.#waiting;
      if (next === undefined) this.#running--;
      else next.start();
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running < this.#maxRunning) {
      this.#running++;
      return;
    }
    if (this.#waiting.size >= this.#maxWaiting)
      throw new Refusal(503, "too many jobs are waiting", RETRY_AFTER_SECONDS);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiter);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        start: () => {
          this.#waiting.delete(waiter);
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      this.#waiting.add(waiter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}
