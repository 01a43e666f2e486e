/** The bytes of uploads that come in pieces: R2's parts, and the tails, which are less than a part. All calls are synchronous. */
export class ResumableBytes {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS resumable_parts (
        id TEXT NOT NULL,
        number INTEGER NOT NULL,
        etag TEXT NOT NULL,
        PRIMARY KEY (id, number)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS resumable_tails (
        id TEXT NOT NULL,
        start INTEGER NOT NULL,
        bytes BLOB NOT NULL,
        PRIMARY KEY (id, start)
      );
    `);
  }

  putPart(id: string, { partNumber, etag }: R2UploadedPart): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO resumable_parts (id, number, etag) VALUES (?, ?, ?)",
      ...[id, partNumber, etag],
    );
    this.#sql.exec("DELETE FROM resumable_tails WHERE id = ?", id);
  }

  hasPart(id: string, { partNumber, etag }: R2UploadedPart): boolean {
    return this.#sql
      .exec("SELECT 1 FROM resumable_parts WHERE id = ? AND number = ? AND etag = ?", id, partNumber, etag)
      .toArray()
      .some(Boolean);
  }

  listParts(id: string): R2UploadedPart[] {
    return this.#sql
      .exec<{ partNumber: number; etag: string }>(
        "SELECT number AS partNumber, etag FROM resumable_parts WHERE id = ? ORDER BY number",
        id,
      )
      .toArray();
  }

  putTail(id: string, start: number, bytes: Uint8Array): void {
    this.#sql.exec("INSERT OR REPLACE INTO resumable_tails (id, start, bytes) VALUES (?, ?, ?)", id, start, bytes);
  }

  /** The bytes of the tail from `start` on, at least one piece and about as many bytes as asked for. */
  readTail(id: string, start: number, bytes: number): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    let length = 0;
    const rows = this.#sql.exec<{ bytes: ArrayBuffer }>(
      "SELECT bytes FROM resumable_tails WHERE id = ? AND start >= ? ORDER BY start",
      id,
      start,
    );
    for (const row of rows) {
      pieces.push(new Uint8Array(row.bytes));
      length += row.bytes.byteLength;
      if (length >= bytes) break;
    }
    return pieces;
  }

  /** Forgets all of an upload. */
  drop(id: string): void {
    this.#sql.exec("DELETE FROM resumable_parts WHERE id = ?", id);
    this.#sql.exec("DELETE FROM resumable_tails WHERE id = ?", id);
  }
}
