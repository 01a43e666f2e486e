import { createHash } from "node:crypto";
import { MINUTE_MS } from "../domain/calendar.ts";
import type { KeyKind } from "../domain/tiers.ts";

/** Sessions an account can have at once; a further login ends the oldest. */
const MAX_SESSIONS = 100;

/**
 * Which credentials of an account live: its password, its login sessions, its revoked keys, and when each key was last
 * used. All calls are synchronous.
 */
export class CredentialStore {
  readonly #sql: SqlStorage;
  /** By key; what is not in here has not been read since the object woke up. */
  readonly #writtenUses = new Map<string, number>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS sessions (
        id TEXT PRIMARY KEY,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS password (one INTEGER PRIMARY KEY CHECK (one = 1), digest TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS revoked_keys (id TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS upload_key (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT);
      CREATE TABLE IF NOT EXISTS key_uses (key_id TEXT PRIMARY KEY, used_at INTEGER NOT NULL) WITHOUT ROWID;
    `);
  }

  /** Says which password is the account's, and no more: a digest of its hash. Undefined where that is not known here. */
  get passwordDigest(): string | undefined {
    return this.#sql.exec<{ digest: string }>("SELECT digest FROM password").toArray()[0]?.digest;
  }

  /** From here on this is the password. */
  setPassword(passwordHash: string): void {
    this.#sql.exec("INSERT OR REPLACE INTO password (one, digest) VALUES (1, ?)", digestOf(passwordHash));
  }

  /** Whether this is the hash of the password, as far as is known here. */
  isPassword(passwordHash: string): boolean {
    return this.passwordDigest === digestOf(passwordHash);
  }

  openSession(id: string, now: number, expiresAt: number): void {
    this.#sql.exec("DELETE FROM sessions WHERE expires_at <= ?", now);
    this.#sql.exec("INSERT OR REPLACE INTO sessions (id, created_at, expires_at) VALUES (?, ?, ?)", id, now, expiresAt);
    this.#sql.exec(
      "DELETE FROM sessions WHERE id NOT IN (SELECT id FROM sessions ORDER BY created_at DESC, id DESC LIMIT ?)",
      MAX_SESSIONS,
    );
  }

  sessionLives(id: string, now: number): boolean {
    return this.#sql.exec("SELECT 1 FROM sessions WHERE id = ? AND expires_at > ?", id, now).toArray().length > 0;
  }

  endSession(id: string): void {
    this.#sql.exec("DELETE FROM sessions WHERE id = ?", id);
  }

  /** Ends every session but one (all of them where `keptId` is null). */
  endOtherSessions(keptId: string | null): void {
    this.#sql.exec("DELETE FROM sessions WHERE id IS NOT ?", keptId);
  }

  /** The only upload key that lives; null where none does, undefined where every one does that was not revoked. */
  get uploadKey(): string | null | undefined {
    return this.#sql.exec<{ id: string | null }>("SELECT id FROM upload_key").toArray()[0]?.id;
  }

  /** From here on this is the only upload key. */
  setUploadKey(id: string): void {
    this.#sql.exec("INSERT OR REPLACE INTO upload_key (one, id) VALUES (1, ?)", id);
  }

  keyLives(id: string, kind: KeyKind): boolean {
    const { uploadKey } = this;
    return !this.#isRevoked(id) && (kind !== "upload" || uploadKey === undefined || uploadKey === id);
  }

  revokeKey(id: string): void {
    this.#sql.exec("INSERT OR IGNORE INTO revoked_keys (id) VALUES (?)", id);
    this.#sql.exec("UPDATE upload_key SET id = NULL WHERE id = ?", id);
    this.#sql.exec("DELETE FROM key_uses WHERE key_id = ?", id);
  }

  #isRevoked(id: string): boolean {
    return this.#sql.exec("SELECT 1 FROM revoked_keys WHERE id = ?", id).toArray().length > 0;
  }

  /**
   * Remembers a key's use, exact to the minute: a row is written when a minute has passed since the one before, also where
   * the object has lost its memory in between.
   */
  noteKeyUse(id: string, now: number): void {
    const written = this.#writtenUses.get(id) ?? this.#readUse(id);
    const isRecent = written !== undefined && now - written < MINUTE_MS;
    this.#writtenUses.set(id, isRecent ? written : now);
    if (!isRecent) this.#sql.exec("INSERT OR REPLACE INTO key_uses (key_id, used_at) VALUES (?, ?)", id, now);
  }

  #readUse(id: string): number | undefined {
    return this.#sql.exec<{ used_at: number }>("SELECT used_at FROM key_uses WHERE key_id = ?", id).toArray()[0]
      ?.used_at;
  }

  /** When each key was last used, by key id. */
  keyUses(): Record<string, number> {
    const rows = this.#sql.exec<{ key_id: string; used_at: number }>("SELECT key_id, used_at FROM key_uses").toArray();
    return Object.fromEntries(rows.map((row) => [row.key_id, row.used_at]));
  }
}

function digestOf(passwordHash: string): string {
  return createHash("sha256").update(passwordHash).digest("base64url");
}
