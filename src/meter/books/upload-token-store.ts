import type { KeyKind } from "../../domain/tiers.ts";
import type { UploadTokenLimits } from "../../domain/upload-token.ts";

/** The credential that created a token, or the share whose guests have it. A key's tokens stop with the key, a share's token with the share. */
export type TokenMaker =
  | { readonly kind: "share"; readonly id: string }
  | { readonly kind: "session"; readonly id: string }
  | { readonly kind: KeyKind; readonly id: string };

/** Times are milliseconds since the epoch. */
export interface NewUploadToken {
  readonly id: string;
  /** SHA-256 of the secret. */
  readonly hash: string;
  readonly maker: TokenMaker;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly limits: UploadTokenLimits;
}

export interface StoredUploadToken extends Omit<NewUploadToken, "hash"> {
  /** Stored files and their bytes. `AccountTables.roomOfToken` adds the uploads in progress. */
  readonly files: number;
  readonly bytes: number;
}

export interface TokenSlice {
  /** Only older tokens. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** Only the tokens of this key. */
  readonly makerId?: string | undefined;
}

/** Ids are digits and lower-case letters. */
const AFTER_ALL_IDS = "~";

interface TokenRow extends Record<string, SqlStorageValue> {
  id: string;
  maker_kind: TokenMaker["kind"];
  maker_id: string;
  created_at: number;
  expires_at: number;
  limits: string;
  files: number;
  bytes: number;
}

/** A share's token is listed, changed and ended with the share. */
const NOT_OF_SHARE = "maker_kind <> 'share'";

const SELECT = "SELECT id, maker_kind, maker_id, created_at, expires_at, limits, files, bytes FROM upload_tokens";

/** An account's upload tokens. All calls are synchronous. */
export class UploadTokenStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS upload_tokens (
        id TEXT PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        maker_kind TEXT NOT NULL,
        maker_id TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        limits TEXT NOT NULL,
        files INTEGER NOT NULL DEFAULT 0,
        bytes INTEGER NOT NULL DEFAULT 0
      ) WITHOUT ROWID;
    `);
  }

  /** Adds a credential's token, and removes expired ones. @returns false if the account has `max` tokens already */
  add({ id, hash, maker, createdAt, expiresAt, limits }: NewUploadToken, max: number): boolean {
    this.#sql.exec(`DELETE FROM upload_tokens WHERE ${NOT_OF_SHARE} AND expires_at <= ?`, createdAt);
    const { n } = this.#sql
      .exec<{ n: number }>(`SELECT count(*) AS n FROM upload_tokens WHERE ${NOT_OF_SHARE} AND id <> ?`, id)
      .one();
    if (n >= max) return false;
    this.#insert({ id, hash, maker, createdAt, expiresAt, limits }, "DO NOTHING");
    return true;
  }

  /** Adds the token of a share, or gives it another secret, time or limits. Its counts stay. */
  putOfShare(token: NewUploadToken): void {
    this.#insert(
      token,
      "DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at, limits = excluded.limits",
    );
  }

  #insert({ id, hash, maker, createdAt, expiresAt, limits }: NewUploadToken, onConflict: string): void {
    this.#sql.exec(
      `INSERT INTO upload_tokens (id, hash, maker_kind, maker_id, created_at, expires_at, limits)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) ${onConflict}`,
      id,
      hash,
      maker.kind,
      maker.id,
      createdAt,
      expiresAt,
      JSON.stringify(limits),
    );
  }

  hashOf(id: string): string | undefined {
    return this.#sql.exec<{ hash: string }>("SELECT hash FROM upload_tokens WHERE id = ?", id).toArray()[0]?.hash;
  }

  removeOfShare(id: string): void {
    this.#sql.exec("DELETE FROM upload_tokens WHERE id = ?", id);
  }

  find(id: string): StoredUploadToken | undefined {
    return this.#sql.exec<TokenRow>(`${SELECT} WHERE id = ?`, id).toArray().map(toToken)[0];
  }

  findByHash(hash: string): StoredUploadToken | undefined {
    return this.#sql.exec<TokenRow>(`${SELECT} WHERE hash = ?`, hash).toArray().map(toToken)[0];
  }

  /** The credentials' tokens that have not expired, newest first. */
  list(now: number, { before, limit, makerId }: TokenSlice): StoredUploadToken[] {
    return this.#sql
      .exec<TokenRow>(
        `${SELECT} WHERE ${NOT_OF_SHARE} AND id < ? AND expires_at > ? AND (? IS NULL OR maker_id = ?) ORDER BY id DESC LIMIT ?`,
        before ?? AFTER_ALL_IDS,
        now,
        makerId ?? null,
        makerId ?? null,
        limit,
      )
      .toArray()
      .map(toToken);
  }

  /** @param makerId as in `TokenSlice` @returns whether there was such a token */
  remove(id: string, makerId: string | undefined): boolean {
    const found = this.find(id);
    if (found === undefined || found.maker.kind === "share" || (makerId !== undefined && found.maker.id !== makerId))
      return false;
    this.#sql.exec("DELETE FROM upload_tokens WHERE id = ?", id);
    return true;
  }

  /** Removes the tokens of every session but one; of all sessions if `keptId` is null. */
  removeOfSessions(keptId: string | null): void {
    this.#sql.exec("DELETE FROM upload_tokens WHERE maker_kind = 'session' AND maker_id IS NOT ?", keptId);
  }

  /** Removes the tokens of a key. */
  removeOfKey(keyId: string): void {
    this.#sql.exec("DELETE FROM upload_tokens WHERE maker_id = ?", keyId);
  }

  /** Adds to the stored files and bytes of a token. An unknown token is ignored: it was revoked, or this is a key's id. */
  count(id: string, files: number, bytes: number): void {
    this.#sql.exec("UPDATE upload_tokens SET files = files + ?, bytes = bytes + ? WHERE id = ?", files, bytes, id);
  }
}

function toToken({
  id,
  maker_kind,
  maker_id,
  created_at,
  expires_at,
  limits,
  files,
  bytes,
}: TokenRow): StoredUploadToken {
  return {
    id,
    maker: { kind: maker_kind, id: maker_id },
    createdAt: created_at,
    expiresAt: expires_at,
    limits: JSON.parse(limits) as UploadTokenLimits,
    files,
    bytes,
  };
}
