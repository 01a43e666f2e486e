import { createHash } from "node:crypto";
import type { Account, Key } from "../db/directory/schema.ts";
import { MINUTE_MS } from "../domain/calendar.ts";
import type { KeyKind } from "../domain/tiers.ts";

/** Sessions an account can have at once; a further login ends the oldest. */
const MAX_SESSIONS = 100;

/** What only the directory would know of an account, kept so that it can be made again where the directory has lost it. */
export type Profile = Pick<Account, "email" | "name" | "passwordHash" | "createdAt">;

/**
 * Which credentials of an account live: its password, its login sessions, its keys, its revoked keys, and when each key was
 * last used. All calls are synchronous.
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
      CREATE TABLE IF NOT EXISTS profile (one INTEGER PRIMARY KEY CHECK (one = 1), payload TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS known_keys (id TEXT PRIMARY KEY, payload TEXT NOT NULL) WITHOUT ROWID;
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
    const { profile } = this;
    if (profile !== undefined) this.setProfile({ ...profile, passwordHash });
  }

  /** Undefined where it was never learnt. */
  get profile(): Profile | undefined {
    const [row] = this.#sql.exec<{ payload: string }>("SELECT payload FROM profile").toArray();
    return row && (JSON.parse(row.payload) as Profile);
  }

  setProfile({ email, name, passwordHash, createdAt }: Profile): void {
    const payload = JSON.stringify({ email, name, passwordHash, createdAt });
    this.#sql.exec("INSERT OR REPLACE INTO profile (one, payload) VALUES (1, ?)", payload);
  }

  /** The password's hash, where it is known here: then it is the account's, whatever the directory has. */
  get passwordHash(): string | undefined {
    const hash = this.profile?.passwordHash;
    return hash !== undefined && this.isPassword(hash) ? hash : undefined;
  }

  /** The keys that live, as far as they were learnt. */
  knownKeys(): Key[] {
    const rows = this.#sql.exec<{ payload: string }>("SELECT payload FROM known_keys ORDER BY id").toArray();
    return rows.map(({ payload }) => JSON.parse(payload) as Key).filter(({ id, kind }) => this.keyLives(id, kind));
  }

  /** Keeps what a key is; nothing where it was revoked. */
  learnKey(key: Key): void {
    if (this.isRevoked(key.id)) return;
    this.#sql.exec("INSERT OR REPLACE INTO known_keys (id, payload) VALUES (?, ?)", key.id, JSON.stringify(key));
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
    this.#sql.exec("DELETE FROM known_keys WHERE id <> ? AND json_extract(payload, '$.kind') = 'upload'", id);
  }

  keyLives(id: string, kind: KeyKind): boolean {
    const { uploadKey } = this;
    return !this.isRevoked(id) && (kind !== "upload" || uploadKey === undefined || uploadKey === id);
  }

  revokeKey(id: string): void {
    this.#sql.exec("INSERT OR IGNORE INTO revoked_keys (id) VALUES (?)", id);
    this.#sql.exec("UPDATE upload_key SET id = NULL WHERE id = ?", id);
    this.#sql.exec("DELETE FROM key_uses WHERE key_id = ?", id);
    this.#sql.exec("DELETE FROM known_keys WHERE id = ?", id);
  }

  isRevoked(id: string): boolean {
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
