import { MINUTE_MS } from "../../domain/calendar.ts";
import { addLaterColumns, selectList } from "../columns.ts";

/** The most sessions of an account. A further log-in ends the oldest session. */
const MAX_SESSIONS = 100;
/** The precision of a session's last use, so that consecutive requests write one row. */
const SEEN_EXACT_MS = 10 * MINUTE_MS;

/** The sender of the request that opens a session. */
export interface SessionOrigin {
  /** The device in words for people. */
  readonly device: string;
  readonly address: string;
}

export interface NewSession extends SessionOrigin {
  /** Digests of the device's identifying facts. */
  readonly deviceDigests: readonly string[];
  readonly sessionId: string;
  readonly expiresAt: number;
}

/** Times are milliseconds since the epoch. */
export interface StoredSession extends SessionOrigin, Record<string, SqlStorageValue> {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The time and the address of the last use, exact to ten minutes. */
  readonly seenAt: number;
  readonly address: string;
  /** The time at which the user last proved to be the owner: at the log-in, or later by the password. */
  readonly provedAt: number;
}

/** Columns of later versions. Older sessions have no known device and no proof. */
const LATER_COLUMNS = {
  device: "TEXT NOT NULL DEFAULT ''",
  address: "TEXT NOT NULL DEFAULT ''",
  seen_at: "INTEGER NOT NULL DEFAULT 0",
  proved_at: "INTEGER NOT NULL DEFAULT 0",
};
const SELECTED = selectList({
  id: "id",
  createdAt: "created_at",
  expiresAt: "expires_at",
  device: "device",
  address: "address",
  seenAt: "seen_at",
  provedAt: "proved_at",
});

/** An account's login sessions. All calls are synchronous. */
export class SessionStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const later = Object.entries(LATER_COLUMNS).map((column) => column.join(" "));
    sql.exec(`
      CREATE TABLE IF NOT EXISTS sessions (
        id TEXT PRIMARY KEY,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        ${later}
      ) WITHOUT ROWID;
    `);
    addLaterColumns(sql, "sessions", LATER_COLUMNS);
  }

  /** A log-in is a proof of who the user is. */
  open({ sessionId, expiresAt, device, address }: NewSession, now: number): void {
    this.#sql.exec("DELETE FROM sessions WHERE expires_at <= ?", now);
    this.#sql.exec(
      `INSERT OR REPLACE INTO sessions (id, created_at, expires_at, device, address, seen_at, proved_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      sessionId,
      now,
      expiresAt,
      device,
      address,
      now,
      now,
    );
    this.#sql.exec(
      "DELETE FROM sessions WHERE id NOT IN (SELECT id FROM sessions ORDER BY created_at DESC, id DESC LIMIT ?)",
      MAX_SESSIONS,
    );
  }

  /** A session that has not ended. */
  find(id: string, now: number): StoredSession | undefined {
    const query = `SELECT ${SELECTED} FROM sessions WHERE id = ? AND expires_at > ?`;
    return this.#sql.exec<StoredSession>(query, id, now).toArray()[0];
  }

  /** The sessions that have not ended, newest first. */
  list(now: number): StoredSession[] {
    const query = `SELECT ${SELECTED} FROM sessions WHERE expires_at > ? ORDER BY created_at DESC, id DESC`;
    return this.#sql.exec<StoredSession>(query, now).toArray();
  }

  /** Records a request of a session. @returns the time of the user's last proof to be the owner */
  use(id: string, address: string | undefined, now: number): number {
    const session = this.find(id, now);
    if (session === undefined) return 0;
    if (now - session.seenAt >= SEEN_EXACT_MS) {
      const at = address ?? session.address;
      this.#sql.exec("UPDATE sessions SET seen_at = ?, address = ? WHERE id = ?", now, at, id);
    }
    return session.provedAt;
  }

  /** Records that the session's user has proved to be the owner. @returns the time of the proof */
  prove(id: string, now: number): number {
    this.#sql.exec("UPDATE sessions SET proved_at = ? WHERE id = ?", now, id);
    return now;
  }

  /** @returns whether the session was open */
  end(id: string, now: number): boolean {
    const wasOpen = this.find(id, now) !== undefined;
    this.#sql.exec("DELETE FROM sessions WHERE id = ?", id);
    return wasOpen;
  }

  /** Ends every session but one; all sessions if `keptId` is null. */
  endOthers(keptId: string | null): void {
    this.#sql.exec("DELETE FROM sessions WHERE id IS NOT ?", keptId);
  }
}
