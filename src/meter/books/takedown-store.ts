import type { FileHashes } from "../../domain/takedown.ts";

/** A taken-down upload, with the facts that restore it. */
export interface StoredTakedown {
  readonly id: string;
  readonly uploadId: string;
  readonly objectKey: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** Before compression. */
  readonly originalSizeBytes: number;
  /** The name that the owner sees. Absent from takedowns of older versions. */
  readonly fileName?: string;
  /** The actor, as in the audit log. Absent from takedowns of older versions. */
  readonly actor?: string;
  readonly reason: string;
  readonly at: number;
  /** The time at which the kept bytes are destroyed; null if none are kept. */
  readonly keepUntil: number | null;
  /** Absent until the bytes are read, for files of older versions. */
  readonly hashes?: FileHashes;
  /** Earlier takedowns of the file whose restoration this takedown replaced. Their quarantine may have the only copy of the bytes. */
  readonly formerIds?: readonly string[];
}

/** The account's taken-down uploads. The object decides about them. All calls are synchronous. */
export class TakedownStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec("CREATE TABLE IF NOT EXISTS takedowns (upload_id TEXT PRIMARY KEY, payload TEXT NOT NULL) WITHOUT ROWID");
  }

  find(uploadId: string): StoredTakedown | undefined {
    const [row] = this.#sql
      .exec<{ payload: string }>("SELECT payload FROM takedowns WHERE upload_id = ?", uploadId)
      .toArray();
    return row && (JSON.parse(row.payload) as StoredTakedown);
  }

  has(uploadId: string): boolean {
    return this.find(uploadId) !== undefined;
  }

  put(takedown: StoredTakedown): void {
    const payload = JSON.stringify(takedown);
    this.#sql.exec("INSERT OR REPLACE INTO takedowns (upload_id, payload) VALUES (?, ?)", takedown.uploadId, payload);
  }

  delete(uploadId: string): void {
    this.#sql.exec("DELETE FROM takedowns WHERE upload_id = ?", uploadId);
  }
}
