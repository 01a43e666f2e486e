import type { AccountTables } from "../books/account-tables.ts";
import { uploadIntentId } from "../intents/intent.ts";
import type { ResumableClaim } from "./outcomes.ts";
import type { Resumable } from "./resumable.ts";
import type { ResumableRecords } from "./resumable-records.ts";

/** The time for which a request waits for the writer: a little longer than a lease. */
const MAX_WAIT_MS = 8000;

export interface WriterTurnsOptions {
  readonly tables: AccountTables;
  readonly records: ResumableRecords;
  /** Finishes the announced intent of this id. */
  goOn(intentId: string): Promise<void>;
}

/** Lets one request at a time write to an upload in pieces. */
export class WriterTurns {
  readonly #options: WriterTurnsOptions;
  /** Requests that wait for a writer to stop. */
  readonly #waiters = new Waiters();

  constructor(options: WriterTurnsOptions) {
    this.#options = options;
  }

  /** A writer has stopped, or the upload no longer exists. */
  end(id: string): void {
    this.#waiters.wake(id);
  }

  /** Asks the writer to stop. @returns the upload when no request writes to it, or its writer is gone; `held` if that takes too long */
  async wait(id: string, { writer, offset }: ResumableClaim): Promise<Resumable | "held" | undefined> {
    const deadline = Date.now() + MAX_WAIT_MS;
    for (;;) {
      const upload = this.#options.records.find(id);
      if (upload === undefined || upload.state === "done") return upload;
      // The writer can only increase the offset further.
      if (offset !== undefined && offset < upload.offset && upload.writer !== null) return upload;
      const now = Date.now();
      if (upload.writer === null || upload.writer === writer) return upload;
      if (upload.leaseUntil <= now) {
        const finished = await this.#finishFor(upload);
        if (finished !== "waiting") return finished;
        return "held";
      }
      if (now >= deadline) return "held";
      if (!upload.isWanted) this.#options.tables.resumables.put({ ...upload, isWanted: true });
      await this.#waiters.wait(id, Math.min(upload.leaseUntil, deadline) - now + 1);
    }
  }

  /** A writer that is gone may have begun to finish the upload. That is completed before anything else. */
  async #finishFor(upload: Resumable): Promise<Resumable | undefined | "waiting"> {
    const intentId = uploadIntentId(upload.id);
    const announced = this.#options.tables.intents.find(intentId);
    if (announced?.intent.kind !== "upload" || announced.intent.isResumable !== true) return upload;
    // The compressed file may still be written to R2, until its intent is due.
    if (announced.intent.quality !== undefined && announced.dueAt > Date.now()) return "waiting";
    await this.#options.goOn(intentId);
    return this.#options.records.find(upload.id);
  }
}

/** Calls that wait for a named event, each for a limited time. If the object is reset, its callers repeat the waiting calls. */
class Waiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** @returns when the name is woken, or the time is up */
  wait(name: string, maxWaitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(name) ?? new Set();
      this.#waiting.set(name, waiting);
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        if (waiting.size === 0 && this.#waiting.get(name) === waiting) this.#waiting.delete(name);
        resolve();
      };
      const timer = setTimeout(done, maxWaitMs);
      waiting.add(done);
    });
  }

  wake(name: string): void {
    for (const done of [...(this.#waiting.get(name) ?? [])]) done();
  }
}
