import type { Alarm } from "../object-alarm.ts";

/** An upload that is due to be deleted. Times are milliseconds since the epoch. */
export interface Expiry {
  readonly uploadId: string;
  readonly at: number;
}

/**
 * The times at which uploads of the account are deleted. The object decides; the library has copies for lists. All calls are synchronous.
 */
export class ExpiryStore {
  readonly #sql: SqlStorage;
  readonly #alarm: Alarm;

  constructor(sql: SqlStorage, alarm: Alarm) {
    this.#sql = sql;
    this.#alarm = alarm;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS expiries (upload_id TEXT PRIMARY KEY, at INTEGER NOT NULL, try_at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS expiries_by_try ON expiries (try_at);
    `);
  }

  find(uploadId: string): number | undefined {
    return this.#sql.exec<{ at: number }>("SELECT at FROM expiries WHERE upload_id = ?", uploadId).toArray()[0]?.at;
  }

  /** @param at null removes it */
  set(uploadId: string, at: number | null): void {
    if (at === null) {
      this.delete(uploadId);
      return;
    }
    this.#sql.exec("INSERT OR REPLACE INTO expiries (upload_id, at, try_at) VALUES (?, ?, ?)", uploadId, at, at);
    this.#alarm.bringForward(at);
  }

  delete(uploadId: string): void {
    this.#sql.exec("DELETE FROM expiries WHERE upload_id = ?", uploadId);
  }

  listDue(now: number, limit: number): Expiry[] {
    return this.#sql
      .exec<{ upload_id: string; at: number }>(
        "SELECT upload_id, at FROM expiries WHERE try_at <= ? ORDER BY try_at LIMIT ?",
        now,
        limit,
      )
      .toArray()
      .map(({ upload_id, at }) => ({ uploadId: upload_id, at }));
  }

  /** Tries again later, because a store does not answer. */
  defer(uploadId: string, tryAt: number): void {
    this.#sql.exec("UPDATE expiries SET try_at = ? WHERE upload_id = ?", tryAt, uploadId);
    this.#alarm.bringForward(tryAt);
  }

  nextDueAt(): number | null {
    return this.#sql.exec<{ at: number | null }>("SELECT min(try_at) AS at FROM expiries").one().at;
  }
}
