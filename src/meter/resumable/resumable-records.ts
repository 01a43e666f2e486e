import { MAX_PART_NUMBER } from "../../domain/parts.ts";
import { expiresAt, IDLE_MS } from "../../domain/resumable.ts";
import type { AccountTables } from "../books/account-tables.ts";
import type { Resumable } from "./resumable.ts";

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
