import { createHash } from "node:crypto";
import type { Account, Key } from "../../db/directory/schema.ts";
import { MINUTE_MS } from "../../domain/calendar.ts";
import type { KeyKind } from "../../domain/tiers.ts";

/** Facts that otherwise only the directory has. The copy restores the account if the directory loses it. */
export type Profile = Pick<Account, "email" | "name" | "passwordHash" | "createdAt"> &
  /** Copies of earlier versions lack this field. */
  Partial<Pick<Account, "emailVerifiedAt">>;

/** An account's password, keys, revoked keys, and the last use of each key. All calls are synchronous. */
export class CredentialStore {
  readonly #sql: SqlStorage;
  /** Last written uses, by key. A missing key has not been read since the object was loaded. */
  readonly #writtenUses = new Map<string, number>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS password (one INTEGER PRIMARY KEY CHECK (one = 1), digest TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS revoked_keys (id TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS upload_key (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT);
      CREATE TABLE IF NOT EXISTS profile (one INTEGER PRIMARY KEY CHECK (one = 1), payload TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS known_keys (id TEXT PRIMARY KEY, payload TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS key_uses (key_id TEXT PRIMARY KEY, used_at INTEGER NOT NULL) WITHOUT ROWID;
    `);
  }

  /** A digest of the hash of the account's password; undefined if this object does not know it. */
  get passwordDigest(): string | undefined {
    return this.#sql.exec<{ digest: string }>("SELECT digest FROM password").toArray()[0]?.digest;
  }

  setPassword(passwordHash: string): void {
    this.#sql.exec("INSERT OR REPLACE INTO password (one, digest) VALUES (1, ?)", digestOf(passwordHash));
    const { profile } = this;
    if (profile !== undefined) this.setProfile({ ...profile, passwordHash });
  }

  /** Undefined if the address was never copied. */
  get profile(): Profile | undefined {
    const [row] = this.#sql.exec<{ payload: string }>("SELECT payload FROM profile").toArray();
    return row && (JSON.parse(row.payload) as Profile);
  }

  setProfile({ email, name, passwordHash, createdAt, emailVerifiedAt }: Profile): void {
    const payload = JSON.stringify({ email, name, passwordHash, createdAt, emailVerifiedAt });
    this.#sql.exec("INSERT OR REPLACE INTO profile (one, payload) VALUES (1, ?)", payload);
  }

  /** The password's hash if this object knows it. It is then right, even if the directory differs. */
  get passwordHash(): string | undefined {
    const hash = this.profile?.passwordHash;
    return hash !== undefined && this.isPassword(hash) ? hash : undefined;
  }

  /** The valid keys that were copied here. */
  knownKeys(): Key[] {
    const rows = this.#sql.exec<{ payload: string }>("SELECT payload FROM known_keys ORDER BY id").toArray();
    return rows.map(({ payload }) => toKey(payload)).filter(({ id, kind }) => this.keyLives(id, kind));
  }

  /** The time at which a key expires; null if it never does, or was not copied here. */
  expiryOf(keyId: string): number | null {
    const rows = this.#sql.exec<{ payload: string }>("SELECT payload FROM known_keys WHERE id = ?", keyId).toArray();
    return rows.map(({ payload }) => toKey(payload).expiresAt)[0] ?? null;
  }

  /** Copies a key, unless it was revoked. */
  learnKey(key: Key): void {
    if (this.isRevoked(key.id)) return;
    this.#sql.exec("INSERT OR REPLACE INTO known_keys (id, payload) VALUES (?, ?)", key.id, JSON.stringify(key));
  }

  /** Whether this is the hash of the password; false if this object does not know it. */
  isPassword(passwordHash: string): boolean {
    return this.passwordDigest === digestOf(passwordHash);
  }

  /** The only valid upload key. Null: there is none. Undefined: every upload key that was not revoked is valid. */
  get uploadKey(): string | null | undefined {
    return this.#sql.exec<{ id: string | null }>("SELECT id FROM upload_key").toArray()[0]?.id;
  }

  /** Makes this the only upload key. */
  setUploadKey(id: string): void {
    this.#sql.exec("INSERT OR REPLACE INTO upload_key (one, id) VALUES (1, ?)", id);
    this.#sql.exec("DELETE FROM known_keys WHERE id <> ? AND json_extract(payload, '$.kind') = 'upload'", id);
  }

  keyLives(id: string, kind: KeyKind): boolean {
    return !this.isRevoked(id) && (kind !== "upload" || this.#isUploadKey(id));
  }

  #isUploadKey(id: string): boolean {
    const { uploadKey } = this;
    return uploadKey === undefined || uploadKey === id;
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
   * Records a key's use, exact to the minute. It writes a row if a minute has passed since the last row, even if the object was evicted in
   * between.
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

  /** The time of each key's last use, by key id. */
  keyUses(): Record<string, number> {
    const rows = this.#sql.exec<{ key_id: string; used_at: number }>("SELECT key_id, used_at FROM key_uses").toArray();
    return Object.fromEntries(rows.map((row) => [row.key_id, row.used_at]));
  }
}

/** Copies of earlier versions, whose keys had no limits, lack these fields. */
function toKey(payload: string): Key {
  return { expiresAt: null, folderId: null, ...(JSON.parse(payload) as Omit<Key, "expiresAt" | "folderId">) };
}

function digestOf(passwordHash: string): string {
  return createHash("sha256").update(passwordHash).digest("base64url");
}

export type Credential =
  | {
      readonly kind: "key";
      readonly keyId: string;
      readonly keyKind: KeyKind;
      /** Null or absent if the key does not expire. */
      readonly expiresAt?: number | null;
    }
  /** An upload token, by the SHA-256 of its secret. */
  | { readonly kind: "token"; readonly hash: string }
  | {
      readonly kind: "session";
      readonly sessionId: string;
      /** The network address of the request. */
      readonly address?: string;
    };
