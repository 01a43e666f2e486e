/** An overdue intent as its account's object reports it. Times are milliseconds since the epoch. */
export interface OverdueIntent {
  readonly id: string;
  readonly kind: string;
  /** Failed replays. */
  readonly attempts: number;
  /** The time of the next replay. */
  readonly nextAt: number;
  readonly reason: string;
}

export interface RegisteredIntent extends OverdueIntent {
  /** Increasing sequence number; also the page cursor. */
  readonly number: number;
  readonly accountId: string;
  /** The time of the first report. */
  readonly failedAt: number;
}

/** Further intents are only in their account's object. */
const MAX_ROWS = 10_000;

interface Row extends Record<string, SqlStorageValue> {
  number: number;
  account_id: string;
  intent_id: string;
  kind: string;
  attempts: number;
  next_at: number;
  failed_at: number;
  reason: string;
}

/**
 * The intents of all accounts whose replay failed, for the operator's listing. The accounts' own objects decide. All calls are synchronous.
 */
export class OverdueRegistry {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS overdue_intents (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        account_id TEXT NOT NULL,
        intent_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        next_at INTEGER NOT NULL,
        failed_at INTEGER NOT NULL,
        reason TEXT NOT NULL,
        UNIQUE (account_id, intent_id)
      );
    `);
  }

  /** Replaces the intents registered for the account. */
  replace(accountId: string, intents: readonly OverdueIntent[], now: number): void {
    const still = new Set(intents.map(({ id }) => id));
    const known = this.#sql
      .exec<{ intent_id: string }>("SELECT intent_id FROM overdue_intents WHERE account_id = ?", accountId)
      .toArray();
    for (const { intent_id: id } of known) {
      if (!still.has(id)) {
        this.#sql.exec("DELETE FROM overdue_intents WHERE account_id = ? AND intent_id = ?", accountId, id);
      }
    }
    const room = MAX_ROWS - this.figures().count;
    const isKnown = new Set(known.map(({ intent_id }) => intent_id));
    const added = intents.filter(({ id }) => !isKnown.has(id)).slice(0, room);
    for (const { id, kind, attempts, nextAt, reason } of [...intents.filter(({ id }) => isKnown.has(id)), ...added]) {
      this.#sql.exec(
        `INSERT INTO overdue_intents (account_id, intent_id, kind, attempts, next_at, failed_at, reason) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (account_id, intent_id) DO UPDATE SET attempts = excluded.attempts, next_at = excluded.next_at, reason = excluded.reason`,
        accountId,
        id,
        kind,
        attempts,
        nextAt,
        now,
        reason,
      );
    }
  }

  /** The intents, longest overdue first. @param after the `number` of the last intent of the previous page */
  list(after: number, limit: number): RegisteredIntent[] {
    return this.#sql
      .exec<Row>("SELECT * FROM overdue_intents WHERE number > ? ORDER BY number LIMIT ?", after, limit)
      .toArray()
      .map((row) => ({
        number: row.number,
        accountId: row.account_id,
        id: row.intent_id,
        kind: row.kind,
        attempts: row.attempts,
        nextAt: row.next_at,
        failedAt: row.failed_at,
        reason: row.reason,
      }));
  }

  /** The number of intents, and the first report of the oldest. */
  figures(): { readonly count: number; readonly oldestAt: number | null } {
    return this.#sql
      .exec<{ count: number; oldestAt: number | null }>(
        "SELECT count(*) AS count, min(failed_at) AS oldestAt FROM overdue_intents",
      )
      .one();
  }
}
