/**
 * The number of devices that are stored for an account, most recently seen first. Each log-in adds at most two: a cookie and a program's
 * address.
 */
const MAX_DEVICES = 200;

/** The devices that have logged in to an account, by digests of their identifying facts. All calls are synchronous. */
export class DeviceStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec("CREATE TABLE IF NOT EXISTS devices (digest TEXT PRIMARY KEY, seen_at INTEGER NOT NULL) WITHOUT ROWID");
  }

  /**
   * Records a log-in by a device.
   * @param digests of all its identifying facts
   * @returns whether the device is new. The first device of an account is not: accounts from before this table have none
   */
  meet(digests: readonly string[], now: number): boolean {
    const isFirst = this.#sql.exec("SELECT 1 FROM devices LIMIT 1").toArray().length === 0;
    const isKnown = digests.some(
      (digest) => this.#sql.exec("SELECT 1 FROM devices WHERE digest = ?", digest).toArray().length > 0,
    );
    for (const digest of digests) {
      this.#sql.exec("INSERT OR REPLACE INTO devices (digest, seen_at) VALUES (?, ?)", digest, now);
    }
    this.#sql.exec(
      "DELETE FROM devices WHERE digest NOT IN (SELECT digest FROM devices ORDER BY seen_at DESC LIMIT ?)",
      MAX_DEVICES,
    );
    return !isFirst && !isKnown;
  }
}
