import type { ClientBody } from "./client-body.ts";

/** How fast a client sends. Only the time that is spent waiting for it counts, not what the server itself needs. */
export class Pace {
  readonly #body: ClientBody;
  readonly #leastBytes: number;
  readonly #withinMs: number;
  #receivedBytes: number;
  #waitedMs: number;
  #isSlow = false;

  /** A client is slow if it makes the server wait `withinMs` for fewer than `leastBytes`. */
  constructor(body: ClientBody, leastBytes: number, withinMs: number) {
    this.#body = body;
    this.#leastBytes = leastBytes;
    this.#withinMs = withinMs;
    this.#receivedBytes = body.receivedBytes;
    this.#waitedMs = body.waitedMs;
  }

  /** Judges by what has come since the last call; to be called regularly. */
  isSlow(): boolean {
    const { receivedBytes, waitedMs } = this.#body;
    const isFast = receivedBytes - this.#receivedBytes >= this.#leastBytes;
    if (!isFast && waitedMs - this.#waitedMs < this.#withinMs) return this.#isSlow;
    this.#receivedBytes = receivedBytes;
    this.#waitedMs = waitedMs;
    this.#isSlow = !isFast;
    return this.#isSlow;
  }
}
