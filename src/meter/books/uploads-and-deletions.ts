import type { Upload } from "../../db/library/schema.ts";
import { OPERATION_TYPES, OPERATIONS, type OperationType } from "../../domain/allowance.ts";
import { addLaterColumns } from "../columns.ts";
import type { LogPosition } from "../views/log-position.ts";
import type { LogFilter, Operation, UncountedOperation, UploadRow } from "./operation.ts";

/** The counts of an operation that was taken out of the log. */
export interface RemovedOperation {
  readonly at: number;
  readonly weightTenths: number;
  readonly storageBytes: number;
  readonly keyId: string | null;
}

interface OperationRow extends Record<string, SqlStorageValue> {
  id: string;
  type: OperationType;
  at: number;
  resource_id: string;
  key_id: string | null;
}

/**
 * The log's uploads and deletions. One index is by type and time, one by key, type and time, so that every listing reads only the rows that
 * it returns. The second index has only operations with a key. In an object of an earlier version, one table has views, uploads and
 * deletions; its views stay there until they expire. All calls are synchronous.
 */
export class UploadsAndDeletions {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    // Earlier versions stored uploads, deletions and views in the table `operations`.
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
        storage_bytes INTEGER NOT NULL DEFAULT 0,
        row TEXT
      ) WITHOUT ROWID;
      DROP INDEX IF EXISTS operations_by_time;
      CREATE INDEX IF NOT EXISTS operations_by_type ON class_a_operations (type, at);
      CREATE INDEX IF NOT EXISTS operations_by_key ON class_a_operations (key_id, type, at) WHERE key_id IS NOT NULL;
    `);
    // An object of a version that did not store rows.
    addLaterColumns(sql, "class_a_operations", { row: "TEXT" });
  }

  /** @param storageBytes the change of the stored bytes @returns false if it was recorded before */
  record({ id, type, at, resourceId, keyId, row }: Operation, storageBytes: number): boolean {
    const { class: operationClass, weightTenths } = OPERATIONS[type];
    const { rowsWritten } = this.#sql.exec(
      "INSERT OR IGNORE INTO class_a_operations (id, type, class, weight_tenths, at, resource_id, key_id, storage_bytes, row) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      type,
      operationClass,
      weightTenths,
      at,
      resourceId,
      keyId,
      storageBytes,
      row === undefined ? null : JSON.stringify(row),
    );
    return rowsWritten > 0;
  }

  /** Removes an operation and returns its counts; undefined if there is none. */
  remove(operationId: string): RemovedOperation | undefined {
    const [row] = this.#sql
      .exec<{ at: number; weight_tenths: number; storage_bytes: number; key_id: string | null }>(
        "DELETE FROM class_a_operations WHERE id = ? RETURNING at, weight_tenths, storage_bytes, key_id",
        operationId,
      )
      .toArray();
    return row && { at: row.at, weightTenths: row.weight_tenths, storageBytes: row.storage_bytes, keyId: row.key_id };
  }

  has(operationId: string): boolean {
    return this.#sql.exec("SELECT 1 FROM class_a_operations WHERE id = ?", operationId).toArray().length > 0;
  }

  /** The key or token of an operation, null for a session; undefined if there is none. */
  keyOf(operationId: string): string | null | undefined {
    const query = "SELECT key_id FROM class_a_operations WHERE id = ?";
    return this.#sql.exec<{ key_id: string | null }>(query, operationId).toArray()[0]?.key_id;
  }

  /** The row of an upload's operation; undefined if there is none. */
  findRow(operationId: string): UploadRow | undefined {
    const [found] = this.#sql
      .exec<{ row: string | null }>("SELECT row FROM class_a_operations WHERE id = ?", operationId)
      .toArray();
    return found === undefined || found.row === null ? undefined : (JSON.parse(found.row) as UploadRow);
  }

  /** Changes the row of an upload's operation, if there is one. */
  changeRow(operationId: string, change: Partial<UploadRow>): void {
    const row = this.findRow(operationId);
    if (row === undefined) return;
    this.#sql.exec(
      "UPDATE class_a_operations SET row = ? WHERE id = ?",
      JSON.stringify({ ...row, ...change }),
      operationId,
    );
  }

  /** Lists the uploads between two operation ids that were not deleted, in order. */
  listStored(fromId: string, beforeId: string, limit: number): string[] {
    const rows = this.#sql.exec<{ id: string }>(
      `SELECT resource_id AS id FROM class_a_operations AS stored
       WHERE id >= ? AND id < ? AND NOT EXISTS (SELECT 1 FROM class_a_operations WHERE id = 'delete:' || stored.resource_id)
       ORDER BY id LIMIT ?`,
      fromId,
      beforeId,
      limit,
    );
    return Array.from(rows, ({ id }) => id);
  }

  /** The newest operations of each type that match the filter, at most `limit` per type. */
  newest(limit: number, before: LogPosition, { from = 0, ...filter }: LogFilter): Operation[] {
    return typesOf(filter).flatMap((type) =>
      this.#sql
        .exec<OperationRow>(
          `SELECT id, type, at, resource_id, key_id FROM ${walked(filter)} AND at >= ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?`,
          ...selected(filter, type),
          from,
          before.at,
          before.id,
          limit,
        )
        .toArray()
        .map(({ id, at, resource_id, key_id }) => ({ id, type, at, resourceId: resource_id, keyId: key_id })),
    );
  }

  /** Counts the operations that match the filter, up to `max` of each type. */
  count(max: number, { from = 0, until = Number.MAX_SAFE_INTEGER, ...filter }: LogFilter): number {
    const counts = typesOf(filter).map(
      (type) =>
        this.#sql
          .exec<{ n: number }>(
            `SELECT count(*) AS n FROM (
               SELECT 1 FROM ${walked(filter)} AND at >= ? AND at < ? LIMIT ?
             )`,
            ...selected(filter, type),
            from,
            until,
            max,
          )
          .one().n,
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** The time of the oldest operation; null if there is none. */
  oldestAt(): number | null {
    const times = OPERATION_TYPES.flatMap((type) =>
      this.#sql
        .exec<{ at: number }>("SELECT at FROM class_a_operations WHERE type = ? ORDER BY at LIMIT 1", type)
        .toArray()
        .map(({ at }) => at),
    );
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Removes the oldest operations before a time, at most `limit` per type. */
  dropBefore(at: number, limit: number): void {
    for (const type of OPERATION_TYPES) {
      this.#sql.exec(
        "DELETE FROM class_a_operations WHERE id IN (SELECT id FROM class_a_operations WHERE type = ? AND at < ? ORDER BY at LIMIT ?)",
        type,
        at,
        limit,
      );
    }
  }
}

/** The types that match a filter. */
export function typesOf(filter: Pick<LogFilter, "type" | "class">): OperationType[] {
  return OPERATION_TYPES.filter((type) => {
    const { class: operationClass } = OPERATIONS[type];
    return (filter.type ?? type) === type && (filter.class ?? operationClass) === operationClass;
  });
}

/** Names the index, because for an unknown key SQLite would otherwise read the operations of all keys. */
function walked({ keyId }: LogFilter): string {
  return keyId === undefined
    ? "class_a_operations INDEXED BY operations_by_type WHERE type = ?"
    : "class_a_operations INDEXED BY operations_by_key WHERE key_id = ? AND type = ?";
}

function selected({ keyId }: LogFilter, type: OperationType): string[] {
  return keyId === undefined ? [type] : [keyId, type];
}

/** If the log has this id, the upload is stored, or was stored and deleted. */
export function uploadOperationId(uploadId: string): string {
  return `upload:${uploadId}`;
}

/** If the log has this id, the upload was deleted. */
export function deleteOperationId(uploadId: string): string {
  return `delete:${uploadId}`;
}

/** If the log has this id, the upload has got the bytes that were stored as this replacement. */
export function replaceOperationId(uploadId: string, replacementId: string): string {
  return `replace:${uploadId}:${replacementId}`;
}

interface Change {
  readonly uploadId: string;
  readonly keyId: string | null;
}

/** The operation of a stored upload. A second settlement has the same id, so it counts nothing. */
export function uploadOperation({ uploadId, keyId }: Change, row?: UploadRow): UncountedOperation {
  return { id: uploadOperationId(uploadId), type: "upload", resourceId: uploadId, keyId, row };
}

/** The operation of new bytes. It counts like an upload. */
export function replaceOperation({
  uploadId,
  replacementId,
  keyId,
}: Change & { readonly replacementId: string }): UncountedOperation {
  return { id: replaceOperationId(uploadId, replacementId), type: "upload", resourceId: uploadId, keyId };
}

export function deleteOperation({ uploadId, keyId }: Change): UncountedOperation {
  return { id: deleteOperationId(uploadId), type: "delete", resourceId: uploadId, keyId };
}

/** The part of a row that the log keeps. */
export function toLoggedRow({ accountId: _, ...row }: Upload): UploadRow {
  return row;
}
