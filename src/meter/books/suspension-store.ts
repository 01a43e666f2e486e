/** The operator has stopped the account. */
export interface Suspension {
  readonly suspendedAt: number;
  /** The reason, which the owner reads. */
  readonly reason: string;
  /** Whether the account's files are still served. */
  readonly servesFiles: boolean;
}

interface SuspensionRow extends Record<string, SqlStorageValue> {
  suspended_at: number;
  reason: string;
  serves_files: number;
}

/** The account's suspension, if it is suspended. All calls are synchronous. */
export class SuspensionStore {
  readonly #sql: SqlStorage;
  /** Every request of the account needs this, so the table is read once; null if the account is not suspended. */
  #current: Suspension | null | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS suspension (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        suspended_at INTEGER NOT NULL,
        reason TEXT NOT NULL,
        serves_files INTEGER NOT NULL
      )
    `);
  }

  get current(): Suspension | undefined {
    if (this.#current === undefined) this.#current = this.#read();
    return this.#current ?? undefined;
  }

  set({ suspendedAt, reason, servesFiles }: Suspension): void {
    this.#current = undefined;
    this.#sql.exec(
      "INSERT OR REPLACE INTO suspension (one, suspended_at, reason, serves_files) VALUES (1, ?, ?, ?)",
      suspendedAt,
      reason,
      Number(servesFiles),
    );
  }

  clear(): void {
    this.#current = undefined;
    this.#sql.exec("DELETE FROM suspension");
  }

  #read(): Suspension | null {
    const [row] = this.#sql.exec<SuspensionRow>("SELECT suspended_at, reason, serves_files FROM suspension").toArray();
    if (row === undefined) return null;
    return { suspendedAt: row.suspended_at, reason: row.reason, servesFiles: row.serves_files === 1 };
  }
}
