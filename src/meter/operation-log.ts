import { DAY_MS } from "../domain/calendar.ts";
import { OPERATIONS, type OperationType } from "../domain/operations.ts";
import type { View } from "../domain/view-pack.ts";
import { type ViewPack, ViewPacks } from "./view-packs.ts";

/** How long the log keeps an operation. */
export const LOG_DAYS = 90;
/** Rows of one class that one pruning removes at most, so that none runs long. */
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
}

/** An operation that is not counted yet: its time is that of its counting. */
export type UncountedOperation = Omit<Operation, "at">;

/** A place in the log, between two operations. */
export interface LogPosition {
  readonly at: number;
  readonly id: string;
}

/** Behind the last operation. */
const END: LogPosition = { at: Number.MAX_SAFE_INTEGER, id: "" };

interface OperationRow extends Record<string, SqlStorageValue> {
  id: string;
  type: OperationType;
  at: number;
  resource_id: string;
  key_id: string | null;
}

/**
 * The operations of the last 90 days (specification, Limits: each operation is logged). There may be a hundred million views:
 * they are packed, a row for what an account has in a minute (`ViewPacks`). Those that came one by one have a table of their own,
 * ordered by time, without an index or a column that says the same of each. The SQL view `operations` has all but the packed ones.
 * All calls are synchronous.
 */
export class OperationLog {
  readonly #sql: SqlStorage;
  readonly #maxDatabaseBytes: number;
  readonly #packs: ViewPacks;

  constructor(sql: SqlStorage, maxDatabaseBytes = MAX_DATABASE_BYTES) {
    this.#sql = sql;
    this.#maxDatabaseBytes = maxDatabaseBytes;
    // An object made before the classes were kept apart: its views grow old where they are.
    if (sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'operations'").toArray().length > 0) {
      sql.exec("ALTER TABLE operations RENAME TO class_a_operations");
      sql.exec("ALTER TABLE class_a_operations ADD COLUMN storage_bytes INTEGER NOT NULL DEFAULT 0");
    }
    sql.exec(`
      CREATE TABLE IF NOT EXISTS class_a_operations (
        id TEXT PRIMARY KEY,
        type TEXT NOT NULL,
        class TEXT NOT NULL,
        weight_tenths INTEGER NOT NULL,
        at INTEGER NOT NULL,
        resource_id TEXT NOT NULL,
        key_id TEXT,
        storage_bytes INTEGER NOT NULL DEFAULT 0
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS operations_by_time ON class_a_operations (at);
      CREATE TABLE IF NOT EXISTS class_b_operations (
        at INTEGER NOT NULL,
        id TEXT NOT NULL,
        resource_id TEXT NOT NULL,
        PRIMARY KEY (at, id)
      ) WITHOUT ROWID;
      CREATE VIEW IF NOT EXISTS operations AS
        SELECT id, type, class, weight_tenths, at, resource_id, key_id FROM class_a_operations
        UNION ALL
        SELECT id, 'view', '${OPERATIONS.view.class}', ${OPERATIONS.view.weightTenths}, at, resource_id, NULL
        FROM class_b_operations;
    `);
    this.#packs = new ViewPacks(sql);
  }

  /**
   * @param storageBytes by how many bytes it changed what is stored
   * @returns false where it was recorded before
   */
  record({ id, type, at, resourceId, keyId }: Operation, storageBytes: number): boolean {
    const { class: operationClass, weightTenths } = OPERATIONS[type];
    const { rowsWritten } = this.#sql.exec(
      "INSERT OR IGNORE INTO class_a_operations (id, type, class, weight_tenths, at, resource_id, key_id, storage_bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      type,
      operationClass,
      weightTenths,
      at,
      resourceId,
      keyId,
      storageBytes,
    );
    return rowsWritten > 0;
  }

  /** Forgets one operation, and says what it had counted. Undefined where there is none. */
  remove(
    operationId: string,
  ): { readonly at: number; readonly weightTenths: number; storageBytes: number } | undefined {
    const [row] = this.#sql
      .exec<{ at: number; weight_tenths: number; storage_bytes: number }>(
        "DELETE FROM class_a_operations WHERE id = ? RETURNING at, weight_tenths, storage_bytes",
        operationId,
      )
      .toArray();
    return row && { at: row.at, weightTenths: row.weight_tenths, storageBytes: row.storage_bytes };
  }

  /**
   * Views that came one by one, or in packs. One whose journal was not reached for sure comes by itself, and may be in a pack too,
   * that comes before it or after it.
   * @returns how many of them were not recorded before
   */
  recordViews(views: readonly View[], packs: readonly ViewPack[] = []): number {
    const added = this.#packs.record(packs, (packed) => this.#findSingle(packed)) + this.#recordSingle(views);
    this.#makeRoom();
    return added;
  }

  /** Operations of the last 90 days, newest first; those of one millisecond by their ids, from the last one. */
  list(limit: number, before: LogPosition = END): Operation[] {
    const rows = this.#sql
      .exec<OperationRow>(
        "SELECT id, type, at, resource_id, key_id FROM operations WHERE (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?",
        before.at,
        before.id,
        limit,
      )
      .toArray();
    const listed = rows.map(
      ({ id, type, at, resource_id, key_id }): Operation => ({ id, type, at, resourceId: resource_id, keyId: key_id }),
    );
    let packed = 0;
    for (const view of this.#packs.newestFirst(before.at)) {
      if (view.at === before.at && view.id >= before.id) continue;
      if (packed++ === limit) break;
      listed.push({ ...view, type: "view", keyId: null });
    }
    return listed.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).slice(0, limit);
  }

  has(operationId: string): boolean {
    return this.#sql.exec("SELECT 1 FROM class_a_operations WHERE id = ?", operationId).toArray().length > 0;
  }

  /** When there is next something to forget; null while it is empty. */
  nextPruningAt(): number | null {
    const { at } = this.#sql
      .exec<{ at: number | null }>(
        "SELECT min(at) AS at FROM (SELECT min(at) AS at FROM class_a_operations UNION ALL SELECT min(at) FROM class_b_operations)",
      )
      .one();
    const oldest = [at, this.#packs.oldestAt()].filter((oldestAt) => oldestAt !== null);
    return oldest.length === 0 ? null : Math.min(...oldest) + (LOG_DAYS + 1) * DAY_MS;
  }

  /** Forgets operations older than 90 days, and the oldest views where the object has grown too large. */
  prune(now: number): void {
    const oldestAt = now - LOG_DAYS * DAY_MS;
    this.#sql.exec(
      "DELETE FROM class_a_operations WHERE id IN (SELECT id FROM class_a_operations WHERE at < ? ORDER BY at LIMIT ?)",
      oldestAt,
      PRUNE_ROWS,
    );
    this.#dropViewsBefore(oldestAt);
    this.#packs.dropBefore(oldestAt, PRUNE_PACK_ROWS);
    this.#makeRoom();
  }

  #recordSingle(views: readonly View[]): number {
    if (views.length === 0) return 0;
    const packed = this.#packs.find(views);
    let added = 0;
    for (const { id, at, resourceId } of views) {
      if (packed.has(id)) continue;
      const { rowsWritten } = this.#sql.exec(
        "INSERT OR IGNORE INTO class_b_operations (at, id, resource_id) VALUES (?, ?, ?)",
        at,
        id,
        resourceId,
      );
      if (rowsWritten > 0) added += 1;
    }
    return added;
  }

  /** The ids of those of these views, in the order of time, that came one by one. */
  #findSingle(views: readonly View[]): Set<string> {
    const rows = this.#sql.exec<{ id: string }>(
      "SELECT id FROM class_b_operations WHERE at BETWEEN ? AND ?",
      views[0]?.at ?? 0,
      views.at(-1)?.at ?? 0,
    );
    return new Set(Array.from(rows, ({ id }) => id));
  }

  /** Packs are dropped until there is room; of single views a call adds fewer than this drops: the database cannot outgrow its bound. */
  #makeRoom(): void {
    const isFull = () => this.#sql.databaseSize > this.#maxDatabaseBytes;
    if (isFull()) this.#dropViewsBefore(Number.MAX_SAFE_INTEGER);
    while (isFull() && this.#packs.dropBefore(Number.MAX_SAFE_INTEGER, DROPPED_PACK_ROWS) > 0);
  }

  #dropViewsBefore(at: number): void {
    this.#sql.exec(
      "DELETE FROM class_b_operations WHERE (at, id) IN (SELECT at, id FROM class_b_operations WHERE at < ? ORDER BY at, id LIMIT ?)",
      at,
      PRUNE_ROWS,
    );
  }
}
