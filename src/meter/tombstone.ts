import { DAY_MS } from "../domain/calendar.ts";

/**
 * How long an object remembers that its account was erased: longer than D1 can be restored to an earlier moment (Time Travel: 30
 * days), so that a restored directory never brings an erased account back.
 */
export const TOMBSTONE_MS = 35 * DAY_MS;

/** All that is left of an erased account: when that was. All calls are synchronous. */
export class Tombstone {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS tombstone (one INTEGER PRIMARY KEY CHECK (one = 1), erased_at INTEGER NOT NULL)",
    );
  }

  /** When the account was erased, in milliseconds; undefined where it was not. */
  get erasedAt(): number | undefined {
    return this.#sql.exec<{ erased_at: number }>("SELECT erased_at FROM tombstone").toArray()[0]?.erased_at;
  }

  set(erasedAt: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO tombstone (one, erased_at) VALUES (1, ?)", erasedAt);
  }
}
