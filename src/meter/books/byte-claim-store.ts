/** Bytes that an upload in progress is about to store. */
export interface ByteClaim {
  readonly uploadId: string;
  /** Of the bytes as uploaded, hexadecimal. */
  readonly sha256: string;
}

const TABLE = "byte_claims";

/**
 * The bytes that requests with `dedupe` are storing, so that of two equal files one is stored (UP-14). A claim lasts as long as its upload is in
 * progress. The table is created with the first row. All calls are synchronous.
 */
export class ByteClaimStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Claims all of these bytes for their uploads, or none.
   * @param isLive whether an upload is in progress; claims of others are removed
   * @returns false if another upload holds one of them
   */
  take(claims: readonly ByteClaim[], isLive: (uploadId: string) => boolean): boolean {
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS ${TABLE} (sha256 TEXT PRIMARY KEY, upload_id TEXT NOT NULL) WITHOUT ROWID`,
    );
    const own = new Set(claims.map(({ uploadId }) => uploadId));
    const wanted = new Set(claims.map(({ sha256 }) => sha256));
    const held = this.#sql
      .exec<{ sha256: string; upload_id: string }>(`SELECT sha256, upload_id FROM ${TABLE}`)
      .toArray();
    for (const { sha256, upload_id } of held) {
      if (!isLive(upload_id)) this.#sql.exec(`DELETE FROM ${TABLE} WHERE sha256 = ?`, sha256);
      else if (wanted.has(sha256) && !own.has(upload_id)) return false;
    }
    for (const { sha256, uploadId } of claims)
      this.#sql.exec(`INSERT OR REPLACE INTO ${TABLE} (sha256, upload_id) VALUES (?, ?)`, sha256, uploadId);
    return true;
  }
}
