import { MAX_PART_NUMBER } from "../../domain/parts.ts";
import { expiresAt, IDLE_MS } from "../../domain/resumable.ts";
import type { AccountTables } from "../account/account-tables.ts";
import { uploadIntentId } from "../intents/intent.ts";
import type { ResumableClaim } from "./outcomes.ts";
import type { Resumable } from "./resumable.ts";

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

/** The stored records of uploads in pieces, each with the time at which the alarm handles it. All calls are synchronous. */
export class ResumableRecords {
  readonly #tables: AccountTables;
  readonly #timeoutMs: () => number;

  constructor(tables: AccountTables, timeoutMs: () => number) {
    this.#tables = tables;
    this.#timeoutMs = timeoutMs;
  }

  /** Finds a record, unless the upload was removed, or was finished and has expired. */
  find(id: string): Resumable | undefined {
    const upload = this.#tables.resumables.find(id);
    return upload === undefined || upload.state === "removed" || isForgotten(upload) ? undefined : upload;
  }

  put(upload: Resumable): Resumable {
    const put = { ...upload, dueAt: this.#dueAt(upload) };
    this.#tables.resumables.put(put);
    return put;
  }

  /** Ends the lease of a writer that is gone. The next part gets a new number, so that a late part of that writer is not taken for it. */
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

/** A finished upload is found until the alarm may delete its record. */
function isForgotten({ state, dueAt }: Resumable): boolean {
  return state === "done" && dueAt <= Date.now();
}
