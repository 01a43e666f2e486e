import type { MultipartReader } from "../../media/multipart/read-multipart.ts";

/** How fast a client sends, by the time alone that is spent waiting for it. */
export class Pace {
  readonly #reader: MultipartReader;
  readonly #leastBytes: number;
  readonly #withinMs: number;
  #receivedBytes: number;
  #waitedMs: number;
  #isSlow = false;

  /** A client is slow that makes the server wait `withinMs` for fewer than `leastBytes`. */
  constructor(reader: MultipartReader, leastBytes: number, withinMs: number) {
    this.#reader = reader;
    this.#leastBytes = leastBytes;
    this.#withinMs = withinMs;
    this.#receivedBytes = reader.receivedBytes;
    this.#waitedMs = reader.waitedMs;
  }

  /** To be asked regularly: it judges by what has come since it did so last. */
  isSlow(): boolean {
    const { receivedBytes, waitedMs } = this.#reader;
    const isFast = receivedBytes - this.#receivedBytes >= this.#leastBytes;
    if (!isFast && waitedMs - this.#waitedMs < this.#withinMs) return this.#isSlow;
    this.#receivedBytes = receivedBytes;
    this.#waitedMs = waitedMs;
    this.#isSlow = !isFast;
    return this.#isSlow;
  }
}
