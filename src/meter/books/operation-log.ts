import { OPERATIONS } from "../../domain/allowance.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import type { View } from "../../domain/view-pack.ts";
import type { LogPosition } from "../views/log-position.ts";
import { SingleViews } from "../views/single-views.ts";
import { type ViewPack, ViewPacks } from "../views/view-packs.ts";
import type { LogFilter, LoggedUpload, Operation, UploadRow } from "./operation.ts";
import { deleteOperationId, typesOf, UploadsAndDeletions, uploadOperationId } from "./uploads-and-deletions.ts";

export const LOG_DAYS = 90;
/** The most uploads, and the most deletions, that one pruning removes, so that it stays short: each has two index entries. */
const PRUNE_CLASS_A_ROWS = 500;
/** The most single views that one pruning removes. */
const PRUNE_ROWS = 5000;
/** The most rows of packed views that one pruning removes. A row may have tens of thousands of views. */
const PRUNE_PACK_ROWS = 500;
/** The number of rows of packed views that are dropped at once when the database is full. */
const DROPPED_PACK_ROWS = 20;
/** Above this size the oldest views are removed early. A Durable Object may have 10 GB, and all other tables need little. */
const MAX_DATABASE_BYTES = 6 * 1024 ** 3;

/** A position after all operations. */
const END: LogPosition = { at: Number.MAX_SAFE_INTEGER, id: "" };

/**
 * The operations of the last 90 days (LIM-8). There may be a hundred million views, so they are packed, one row for each account and minute
 * (`ViewPacks`). Single views have a table of their own, and so have uploads and deletions. The SQL view `operations` contains everything
 * except packed views. All calls are synchronous.
 */
export class OperationLog {
  readonly #sql: SqlStorage;
  readonly #maxDatabaseBytes: number;
  readonly #classA: UploadsAndDeletions;
  readonly #singles: SingleViews;
  readonly #packs: ViewPacks;

  constructor(sql: SqlStorage, maxDatabaseBytes = MAX_DATABASE_BYTES) {
    this.#sql = sql;
    this.#maxDatabaseBytes = maxDatabaseBytes;
    this.#classA = new UploadsAndDeletions(sql);
    this.#singles = new SingleViews(sql);
    this.#packs = new ViewPacks(sql);
    sql.exec(`
      CREATE VIEW IF NOT EXISTS operations AS
        SELECT id, type, class, weight_tenths, at, resource_id, key_id FROM class_a_operations
        UNION ALL
        SELECT id, 'view', '${OPERATIONS.view.class}', ${OPERATIONS.view.weightTenths}, at, resource_id, NULL
        FROM class_b_operations;
    `);
  }

  /** @param storageBytes the change of the stored bytes @returns false if it was recorded before */
  record(operation: Operation, storageBytes: number): boolean {
    return this.#classA.record(operation, storageBytes);
  }

  /** Removes an operation and returns its counts; undefined if there is none. */
  remove(operationId: string): ReturnType<UploadsAndDeletions["remove"]> {
    return this.#classA.remove(operationId);
  }

  /**
   * Records single views, or packs of views. A view whose journal did not confirm is sent by itself, and may also arrive in a pack, before or
   * after.
   * @param onFresh called with the bytes that the views of each new pack sent
   * @returns the number of views that were not recorded before
   */
  recordViews(views: readonly View[], packs: readonly ViewPack[] = [], onFresh?: (sentBytes: number) => void): number {
    const added =
      this.#packs.record(packs, (packed) => this.#singles.find(packed), onFresh) + this.#recordSingle(views);
    this.#makeRoom();
    return added;
  }

  /**
   * Operations of the last 90 days, newest first; operations of the same millisecond are sorted by descending id. It reads about `limit`
   * rows of each kind, at any position.
   */
  list(limit: number, before: LogPosition = END, filter: LogFilter = {}): Operation[] {
    const { from = 0, until = END.at } = filter;
    const end = before.at < until ? before : { at: until, id: "" };
    const listed = this.#classA.newest(limit, end, filter);
    if (hasViews(filter)) {
      const views = [...this.#singles.newest(limit, end, from), ...this.#packs.newest(limit, end, from)];
      for (const view of views) listed.push({ ...view, type: "view", keyId: null });
    }
    return listed.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).slice(0, limit);
  }

  /** Counts operations up to `max`. */
  count(max: number, filter: LogFilter): number {
    const { from = 0, until = END.at } = filter;
    let count = this.#classA.count(max, filter);
    if (hasViews(filter) && count < max) count += this.#singles.count(max - count, from, until);
    if (hasViews(filter) && count < max) count += this.#packs.count(max - count, from, until);
    return Math.min(count, max);
  }

  has(operationId: string): boolean {
    return this.#classA.has(operationId);
  }

  /** The key or token of an upload or deletion, null for a session; undefined if the log has none. */
  keyOf(operationId: string): string | null | undefined {
    return this.#classA.keyOf(operationId);
  }

  /** Whether the log has an upload as stored or deleted. */
  judge(uploadId: string): LoggedUpload {
    if (this.has(deleteOperationId(uploadId))) return "deleted";
    return this.has(uploadOperationId(uploadId)) ? "stored" : "unknown";
  }

  /** The row of an upload at its settlement; undefined if the log does not have it. */
  findRow(uploadId: string): UploadRow | undefined {
    return this.#classA.findRow(uploadOperationId(uploadId));
  }

  /** Changes the kept row of an upload whose bytes were replaced. */
  changeRow(uploadId: string, change: Partial<UploadRow>): void {
    this.#classA.changeRow(uploadOperationId(uploadId), change);
  }

  /** The ids of stored uploads in this range, in order, without uploads that are known to be deleted. */
  listStored(fromId: string, beforeId: string | null, limit: number): string[] {
    return this.#classA.listStored(uploadOperationId(fromId), uploadOperationId(beforeId ?? "~"), limit);
  }

  /** The next time at which an entry expires; null if the log is empty. */
  nextPruningAt(): number | null {
    const times = [this.#classA.oldestAt(), this.#singles.oldestAt(), this.#packs.oldestAt()];
    const oldest = times.filter((at) => at !== null);
    return oldest.length === 0 ? null : pruningAfter(Math.min(...oldest));
  }

  /** Removes operations older than 90 days, and the oldest views if the database is too large. */
  prune(now: number): void {
    const oldestAt = now - LOG_DAYS * DAY_MS;
    this.#classA.dropBefore(oldestAt, PRUNE_CLASS_A_ROWS);
    this.#singles.dropBefore(oldestAt, PRUNE_ROWS);
    this.#packs.dropBefore(oldestAt, PRUNE_PACK_ROWS);
    this.#makeRoom();
  }

  #recordSingle(views: readonly View[]): number {
    if (views.length === 0) return 0;
    const packed = this.#packs.find(views);
    let added = 0;
    for (const view of views) if (!packed.has(view.id) && this.#singles.record(view)) added += 1;
    return added;
  }

  /** Drops packs until there is space. A call adds fewer single views than this drops, so the database cannot exceed its limit. */
  #makeRoom(): void {
    const isFull = () => this.#sql.databaseSize > this.#maxDatabaseBytes;
    if (isFull()) this.#singles.dropBefore(Number.MAX_SAFE_INTEGER, PRUNE_ROWS);
    while (isFull() && this.#packs.dropBefore(Number.MAX_SAFE_INTEGER, DROPPED_PACK_ROWS) > 0);
  }
}

/** The time at which operations of this time are removed. */
export function pruningAfter(at: number): number {
  return at + (LOG_DAYS + 1) * DAY_MS;
}

function hasViews(filter: LogFilter): boolean {
  return filter.keyId === undefined && typesOf(filter).includes("view");
}
