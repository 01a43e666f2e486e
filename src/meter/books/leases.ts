/** A lease is stored again when less than this part of its time is left, so that one lost signal does no harm. */
const STORED_SHARE = 0.7;
/** Requests signal four times in the time of a lease. A holder that signalled within this part of it is alive. */
const ALIVE_SHARE = 1 / 3;

interface LeaseRow extends Record<string, SqlStorageValue> {
  untils: string;
}

/**
 * The times until which requests keep their uploads in progress from being replayed, by the ids of intents and claimants. All leases of the
 * account are in one row, which is written about twice a minute for any number of signals, so slow uploads are cheap. The table is created
 * with the first row. All calls are synchronous.
 */
export class Leases {
  readonly #sql: SqlStorage;
  /** The newest times. Some of them are not stored: if they are lost, the stored times still last. */
  #untils: Map<string, number>;
  #stored: Map<string, number>;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const isMade =
      sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'leases'").toArray().length > 0;
    const [row] = isMade ? sql.exec<LeaseRow>("SELECT untils FROM leases").toArray() : [];
    this.#stored = new Map(Object.entries(JSON.parse(row?.untils ?? "{}") as Record<string, number>));
    this.#untils = new Map(this.#stored);
  }

  /** The end of a lease; 0 if there is no lease. */
  until(id: string): number {
    return this.#untils.get(id) ?? 0;
  }

  /** The ids whose lease ends after this time. */
  after(now: number): string[] {
    return [...this.#untils].filter(([, until]) => until > now).map(([id]) => id);
  }

  /** Records that the intent's own row delays its replay for this long, so that its first signal needs no row. */
  note(id: string, now: number, leaseMs: number): void {
    prune(this.#stored, now);
    this.#stored.set(id, now + leaseMs);
  }

  /** Ends a lease before its time. */
  end(id: string): void {
    this.#untils.delete(id);
    if (this.#stored.delete(id)) this.#store(this.#untils);
  }

  /** Extends leases. If one of them would end soon, the row is written with the extended times of all live leases. */
  renew(ids: readonly string[], now: number, leaseMs: number): void {
    prune(this.#untils, now);
    for (const id of ids) {
      this.#untils.delete(id);
      this.#untils.set(id, now + leaseMs);
    }
    if (ids.every((id) => (this.#stored.get(id) ?? 0) >= now + leaseMs * STORED_SHARE)) return;
    const isAlive = (until: number) => until >= now + leaseMs * (1 - ALIVE_SHARE);
    const lasting = [...this.#untils].filter(([, until]) => until > now);
    this.#store(new Map(lasting.map(([id, until]) => [id, isAlive(until) ? now + leaseMs : until])));
  }

  #store(untils: Map<string, number>): void {
    this.#untils = untils;
    this.#stored = new Map(untils);
    this.#sql.exec("CREATE TABLE IF NOT EXISTS leases (one INTEGER PRIMARY KEY CHECK (one = 1), untils TEXT NOT NULL)");
    this.#sql.exec(
      "INSERT OR REPLACE INTO leases (one, untils) VALUES (1, ?)",
      JSON.stringify(Object.fromEntries(this.#untils)),
    );
  }
}

/** Removes expired leases, beginning with the first: they are roughly in the order of their ends. */
function prune(untils: Map<string, number>, now: number): void {
  for (const [id, until] of untils) {
    if (until > now) return;
    untils.delete(id);
  }
}
