/**
 * The thumbnails whose bytes count in the account's storage. The deletion of an upload subtracts exactly the bytes that were added. All
 * calls are synchronous.
 */
export class CountedThumbnails {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS thumbnails (
        upload_id TEXT PRIMARY KEY,
        size_bytes INTEGER NOT NULL
      ) WITHOUT ROWID;
    `);
  }

  has(uploadId: string): boolean {
    return this.#sql.exec("SELECT 1 FROM thumbnails WHERE upload_id = ?", uploadId).toArray().length > 0;
  }

  /** The counted bytes of a thumbnail; 0 if it is not counted. */
  sizeOf(uploadId: string): number {
    const query = "SELECT size_bytes FROM thumbnails WHERE upload_id = ?";
    return this.#sql.exec<{ size_bytes: number }>(query, uploadId).toArray()[0]?.size_bytes ?? 0;
  }

  /** Lists the uploads in this range that have a counted thumbnail, sorted by id. */
  list(fromId: string, beforeId: string | null, limit: number): string[] {
    const query =
      "SELECT upload_id AS id FROM thumbnails WHERE upload_id >= ? AND upload_id < ? ORDER BY upload_id LIMIT ?";
    return Array.from(this.#sql.exec<{ id: string }>(query, fromId, beforeId ?? "~", limit), ({ id }) => id);
  }

  /** The bytes of all counted thumbnails. */
  totalBytes(): number {
    return this.#sql.exec<{ bytes: number }>("SELECT coalesce(sum(size_bytes), 0) AS bytes FROM thumbnails").one()
      .bytes;
  }

  /** Counts a thumbnail at this size; 0 removes it. @returns the change of the account's storage in bytes */
  set(uploadId: string, sizeBytes: number): number {
    const countedBytes = this.#remove(uploadId);
    if (sizeBytes > 0) {
      this.#sql.exec("INSERT INTO thumbnails (upload_id, size_bytes) VALUES (?, ?)", uploadId, sizeBytes);
    }
    return sizeBytes - countedBytes;
  }

  #remove(uploadId: string): number {
    const [row] = this.#sql
      .exec<{ size_bytes: number }>("DELETE FROM thumbnails WHERE upload_id = ? RETURNING size_bytes", uploadId)
      .toArray();
    return row?.size_bytes ?? 0;
  }
}
