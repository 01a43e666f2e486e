/** A lease is stored again when it has less than this part of its time left: one sign of life may be lost. */
const STORED_SHARE = 0.7;
/** Signs of life come four times in the time of a lease. A holder that gave one within this part of it is alive. */
const ALIVE_SHARE = 1 / 3;

interface LeaseRow extends Record<string, SqlStorageValue> {
  untils: string;
}

/**
 * The times until which requests keep their uploads in progress from being replayed, by the ids of intents and claimants. All leases of
 * the account are in one row, which is written about twice a minute however many requests give signs of life: slow uploads are cheap. The
 * table is created with the first row. All calls are synchronous.
 */
export class Leases {
  readonly #sql: SqlStorage;
  /** The newest times, some of which are not stored: if they are lost, the stored ones still last. */
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

  /** The end of a lease; 0 if there is none. */
  until(id: string): number {
    return this.#untils.get(id) ?? 0;
  }

  /** The ids whose lease lasts longer than this. */
  after(now: number): string[] {
    return [...this.#untils].filter(([, until]) => until > now).map(([id]) => id);
  }

  /** Notes that the intent's own row puts its replay off for this long: its first sign of life needs no row. */
  note(id: string, now: number, leaseMs: number): void {
    prune(this.#stored, now);
    this.#stored.set(id, now + leaseMs);
  }

  /** Ends a lease before its time. */
  end(id: string): void {
    this.#untils.delete(id);
    if (this.#stored.delete(id)) this.#store(this.#untils);
  }

  /** Prolongs leases. The row is written if one of them would end soon; then all live ones are prolonged. */
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

/** Removes leases that are over, from the first one on: they are about in the order of their ends. */
function prune(untils: Map<string, number>, now: number): void {
  for (const [id, until] of untils) {
    if (until > now) return;
    untils.delete(id);
  }
}
