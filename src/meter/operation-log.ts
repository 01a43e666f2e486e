import type { Upload } from "../db/library/schema.ts";
import { DAY_MS } from "../domain/calendar.ts";
import { OPERATIONS, type OperationClass, type OperationType } from "../domain/operations.ts";
import type { View } from "../domain/view-pack.ts";
import { ClassALog, typesOf } from "./class-a-log.ts";
import type { LogPosition } from "./newest-views.ts";
import { SingleViews } from "./single-views.ts";
import { type ViewPack, ViewPacks } from "./view-packs.ts";

/** How long the log keeps an operation. */
export const LOG_DAYS = 90;
/** Uploads, and deletions, that one pruning removes at most, so that none runs long: each is in two indexes, too. */
const PRUNE_CLASS_A_ROWS = 500;
/** The same of views that came one by one. */
const PRUNE_ROWS = 5000;
/** The same of packed views, of which a row may have ten thousands. */
const PRUNE_PACK_ROWS = 500;
/** Where there is no room, so many rows of packed views go at a time. */
const DROPPED_PACK_ROWS = 20;
/** Above this the oldest views are forgotten before their time. A Durable Object may hold 10 GB; the rest of it needs little. */
const MAX_DATABASE_BYTES = 6 * 1024 ** 3;

export interface Operation {
  /** Says which change or which view this is: the same id is counted once, however often it is recorded. */
  readonly id: string;
  readonly type: OperationType;
  readonly at: number;
  readonly resourceId: string;
  readonly keyId: string | null;
  /** What an upload was stored as, so that its row can be made again where the catalogue has lost it. */
  readonly row?: UploadRow | undefined;
}

/** An operation that is not counted yet: its time is that of its counting. */
export type UncountedOperation = Omit<Operation, "at">;

/** Which operations are wanted; all conditions together. A view has no key. */
export interface LogFilter {
  readonly type?: OperationType | undefined;
  readonly class?: OperationClass | undefined;
  readonly keyId?: string | undefined;
  /** Not before this moment. */
  readonly from?: number | undefined;
  /** Before this moment. */
  readonly until?: number | undefined;
}

/** An upload as the catalogue has it, when it was settled. */
export type UploadRow = Omit<Upload, "accountId">;

/** Whether an upload was stored, and whether it was deleted since, as far as the log goes back. */
export type LoggedUpload = "stored" | "deleted" | "unknown";

/** Behind the last operation. */
const END: LogPosition = { at: Number.MAX_SAFE_INTEGER, id: "" };

/**
 * The operations of the last 90 days (specification, Limits: each operation is logged). There may be a hundred million views:
 * they are packed, a row for what an account has in a minute (`ViewPacks`). Those that came one by one have a table of their own,
 * and so have uploads and deletions. The SQL view `operations` has all but the packed ones. All calls are synchronous.
 */
export class OperationLog {
  readonly #sql: SqlStorage;
  readonly #maxDatabaseBytes: number;
  readonly #classA: ClassALog;
  readonly #singles: SingleViews;
  readonly #packs: ViewPacks;

  constructor(sql: SqlStorage, maxDatabaseBytes = MAX_DATABASE_BYTES) {
    this.#sql = sql;
    this.#maxDatabaseBytes = maxDatabaseBytes;
    this.#classA = new ClassALog(sql);
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

  /**
   * @param storageBytes by how many bytes it changed what is stored
   * @returns false where it was recorded before
   */
  record(operation: Operation, storageBytes: number): boolean {
    return this.#classA.record(operation, storageBytes);
  }

  /** Forgets one operation, and says what it had counted. Undefined where there is none. */
  remove(operationId: string): ReturnType<ClassALog["remove"]> {
    return this.#classA.remove(operationId);
  }

  /**
   * Views that came one by one, or in packs. One whose journal was not reached for sure comes by itself, and may be in a pack too,
   * that comes before it or after it.
   * @returns how many of them were not recorded before
   */
  recordViews(views: readonly View[], packs: readonly ViewPack[] = []): number {
    const added = this.#packs.record(packs, (packed) => this.#singles.find(packed)) + this.#recordSingle(views);
    this.#makeRoom();
    return added;
  }

  /**
   * Operations of the last 90 days, newest first; those of one millisecond by their ids, from the last one. It reads about as many
   * rows as it returns, of each kind, wherever in the log they are.
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

  /** How many operations there are; counted up to `max`. */
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

  /** What the log says of an upload. */
  judge(uploadId: string): LoggedUpload {
    if (this.has(deleteOperationId(uploadId))) return "deleted";
    return this.has(uploadOperationId(uploadId)) ? "stored" : "unknown";
  }

  /** The row that an upload was settled with; undefined where the log does not have it. */
  findRow(uploadId: string): UploadRow | undefined {
    return this.#classA.findRow(uploadOperationId(uploadId));
  }

  /** The ids of uploads in this range, in order, that were stored and, so far as is known, not deleted. */
  listStored(fromId: string, beforeId: string | null, limit: number): string[] {
    return this.#classA.listStored(uploadOperationId(fromId), uploadOperationId(beforeId ?? "~"), limit);
  }

  /** When there is next something to forget; null while it is empty. */
  nextPruningAt(): number | null {
    const times = [this.#classA.oldestAt(), this.#singles.oldestAt(), this.#packs.oldestAt()];
    const oldest = times.filter((at) => at !== null);
    return oldest.length === 0 ? null : Math.min(...oldest) + (LOG_DAYS + 1) * DAY_MS;
  }

  /** Forgets operations older than 90 days, and the oldest views where the object has grown too large. */
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

  /** Packs are dropped until there is room; of single views a call adds fewer than this drops: the database cannot outgrow its bound. */
  #makeRoom(): void {
    const isFull = () => this.#sql.databaseSize > this.#maxDatabaseBytes;
    if (isFull()) this.#singles.dropBefore(Number.MAX_SAFE_INTEGER, PRUNE_ROWS);
    while (isFull() && this.#packs.dropBefore(Number.MAX_SAFE_INTEGER, DROPPED_PACK_ROWS) > 0);
  }
}

function hasViews(filter: LogFilter): boolean {
  return filter.keyId === undefined && typesOf(filter).includes("view");
}

/** Its presence in the log says that an upload is stored, or was. */
export function uploadOperationId(uploadId: string): string {
  return `upload:${uploadId}`;
}

/** Its presence in the log also says that an upload is no more. */
export function deleteOperationId(uploadId: string): string {
  return `delete:${uploadId}`;
}
