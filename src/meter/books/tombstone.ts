import { DAY_MS } from "../../domain/calendar.ts";

/**
 * The time for which an object remembers that its account was erased. D1 can be restored to an earlier moment within 30 days (Time Travel),
 * so a restored directory never brings an erased account back.
 */
export const TOMBSTONE_MS = 35 * DAY_MS;

/** The time at which an account was erased, which is the only fact that stays. All calls are synchronous. */
export class Tombstone {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS tombstone (one INTEGER PRIMARY KEY CHECK (one = 1), erased_at INTEGER NOT NULL)",
    );
  }

  /** The time of the erasure in milliseconds; undefined if the account was not erased. */
  get erasedAt(): number | undefined {
    return this.#sql.exec<{ erased_at: number }>("SELECT erased_at FROM tombstone").toArray()[0]?.erased_at;
  }

  set(erasedAt: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO tombstone (one, erased_at) VALUES (1, ?)", erasedAt);
  }
}
