import type { AccountBooks } from "./account-books.ts";
import { uploadIntentId } from "./intent.ts";
import type { Resumable } from "./resumable.ts";
import type { ResumableClaim } from "./resumable-answers.ts";
import type { ResumableRecords } from "./resumable-records.ts";
import { Waiters } from "./waiters.ts";

/** So long a request waits for the one that writes: a little more than a lease. */
const MAX_WAIT_MS = 8000;

export interface WriterTurnsOptions {
  readonly books: AccountBooks;
  readonly records: ResumableRecords;
  /** Finishes what is announced under this intent's id. */
  goOn(intentId: string): Promise<void>;
}

/** Whose turn it is to write to an upload that comes in pieces: one request's at a time. */
export class WriterTurns {
  readonly #options: WriterTurnsOptions;
  /** Requests that wait for a writer to stop. */
  readonly #waiters = new Waiters();

  constructor(options: WriterTurnsOptions) {
    this.#options = options;
  }

  /** A writer has stopped, or there is nothing to write to any more. */
  end(id: string): void {
    this.#waiters.wake(id);
  }

  /** Has the request that writes stop. @returns the upload once nobody writes to it, or its writer is gone; `held` where that takes too long */
  async wait(id: string, { writer, offset }: ResumableClaim): Promise<Resumable | "held" | undefined> {
    const deadline = Date.now() + MAX_WAIT_MS;
    for (;;) {
      const upload = this.#options.records.find(id);
      if (upload === undefined || upload.state === "done") return upload;
      // Whatever the writer still does, it can only get further.
      if (offset !== undefined && offset < upload.offset && upload.writer !== null) return upload;
      const now = Date.now();
      if (upload.writer === null || upload.writer === writer) return upload;
      if (upload.leaseUntil <= now) {
        const finished = await this.#finishFor(upload);
        if (finished !== "waiting") return finished;
        return "held";
      }
      if (now >= deadline) return "held";
      if (!upload.isWanted) this.#options.books.resumables.put({ ...upload, isWanted: true });
      await this.#waiters.wait(id, Math.min(upload.leaseUntil, deadline) - now + 1);
    }
  }

  /** A writer that is gone may have begun to finish the upload: that is done before anything else. */
  async #finishFor(upload: Resumable): Promise<Resumable | undefined | "waiting"> {
    const intentId = uploadIntentId(upload.id);
    const announced = this.#options.books.intents.find(intentId);
    if (announced?.intent.kind !== "upload" || announced.intent.isResumable !== true) return upload;
    // What it is compressed to may still be on its way to R2: only when the time of its intent has run out it is not.
    if (announced.intent.quality !== undefined && announced.dueAt > Date.now()) return "waiting";
    await this.#options.goOn(intentId);
    return this.#options.records.find(upload.id);
  }
}
