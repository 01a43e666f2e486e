/**
 * The thumbnails whose bytes are counted in the account's storage: what was added when one was stored must be taken away,
 * to the byte, when its upload is deleted. All calls are synchronous.
 */
export class ThumbnailLedger {
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

  /** The bytes that are counted for a thumbnail; 0 where none are. */
  sizeOf(uploadId: string): number {
    const query = "SELECT size_bytes FROM thumbnails WHERE upload_id = ?";
    return this.#sql.exec<{ size_bytes: number }>(query, uploadId).toArray()[0]?.size_bytes ?? 0;
  }

  /** Of uploads in this range, in the order of their ids: which have a thumbnail that is counted. */
  list(fromId: string, beforeId: string | null, limit: number): string[] {
    const query =
      "SELECT upload_id AS id FROM thumbnails WHERE upload_id >= ? AND upload_id < ? ORDER BY upload_id LIMIT ?";
    return Array.from(this.#sql.exec<{ id: string }>(query, fromId, beforeId ?? "~", limit), ({ id }) => id);
  }

  /** What all thumbnails add to the account's storage. */
  totalBytes(): number {
    return this.#sql.exec<{ bytes: number }>("SELECT coalesce(sum(size_bytes), 0) AS bytes FROM thumbnails").one()
      .bytes;
  }

  /** Counts a thumbnail at this size; 0 is none. @returns by how many bytes the account's storage changes */
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
