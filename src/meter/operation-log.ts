import { DAY_MS } from "../domain/calendar.ts";
import { OPERATIONS, type OperationType } from "../domain/operations.ts";

/** How long the log keeps an operation. */
const LOG_DAYS = 90;
/** Rows of one class that one pruning removes at most, so that none runs long. */
const PRUNE_ROWS = 5000;
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

export interface View {
  /** A view that is told again has the same id and the same time. */
  readonly id: string;
  readonly at: number;
  readonly resourceId: string;
}

/**
 * The operations of the last 90 days (specification, Limits: each operation is logged), in the SQL view `operations`. There
 * may be a hundred million views: theirs is a table of its own, ordered by time, without an index or a column that says
 * the same of each. All calls are synchronous.
 */
export class OperationLog {
  readonly #sql: SqlStorage;
  readonly #maxDatabaseBytes: number;

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

  /** @returns how many of them were not recorded before */
  recordViews(views: readonly View[]): number {
    let added = 0;
    for (const { id, at, resourceId } of views) {
      const { rowsWritten } = this.#sql.exec(
        "INSERT OR IGNORE INTO class_b_operations (at, id, resource_id) VALUES (?, ?, ?)",
        at,
        id,
        resourceId,
      );
      if (rowsWritten > 0) added += 1;
    }
    this.#makeRoom();
    return added;
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
    return at === null ? null : at + (LOG_DAYS + 1) * DAY_MS;
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
    this.#makeRoom();
  }

  /** A call adds fewer views than this drops, so the database cannot outgrow its bound. */
  #makeRoom(): void {
    if (this.#sql.databaseSize > this.#maxDatabaseBytes) this.#dropViewsBefore(Number.MAX_SAFE_INTEGER);
  }

  #dropViewsBefore(at: number): void {
    this.#sql.exec(
      "DELETE FROM class_b_operations WHERE (at, id) IN (SELECT at, id FROM class_b_operations WHERE at < ? ORDER BY at, id LIMIT ?)",
      at,
      PRUNE_ROWS,
    );
  }
}
