import { MAX_PART_NUMBER } from "../domain/parts.ts";
import { expiresAt, IDLE_MS } from "../domain/resumable.ts";
import type { AccountBooks } from "./account-books.ts";
import type { Resumable } from "./resumable.ts";

/** What is stored of uploads that come in pieces, with the time at which the alarm looks at each. All calls are synchronous. */
export class ResumableRecords {
  readonly #books: AccountBooks;
  readonly #timeoutMs: () => number;

  constructor(books: AccountBooks, timeoutMs: () => number) {
    this.#books = books;
    this.#timeoutMs = timeoutMs;
  }

  /** One that was removed is found no more, nor one that is done and forgotten. */
  find(id: string): Resumable | undefined {
    const upload = this.#books.resumables.find(id);
    return upload === undefined || upload.state === "removed" || isForgotten(upload) ? undefined : upload;
  }

  put(upload: Resumable): Resumable {
    const put = { ...upload, dueAt: this.#dueAt(upload) };
    this.#books.resumables.put(put);
    return put;
  }

  /** A writer that is gone writes no more; a part that it sent is not mistaken for the next one. */
  passOver(upload: Resumable, writer: string): Resumable {
    if (upload.writer === null || upload.writer === writer || upload.leaseUntil > Date.now()) return upload;
    const nextPart = Math.min(upload.nextPart + 1, MAX_PART_NUMBER);
    return this.put({ ...upload, writer: null, isWanted: false, nextPart });
  }

  #dueAt(upload: Resumable): number {
    const { state, touchedAt, offset, length, reservedBytes } = upload;
    if (state === "removed") return Date.now();
    if (offset === length) return Math.min(expiresAt(upload), touchedAt + this.#timeoutMs());
    return reservedBytes > offset ? Math.min(expiresAt(upload), touchedAt + IDLE_MS) : expiresAt(upload);
  }
}

/** A finished upload is known as one until the alarm may delete what is left of it here. */
function isForgotten({ state, dueAt }: Resumable): boolean {
  return state === "done" && dueAt <= Date.now();
}
