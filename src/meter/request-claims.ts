/** A request that is made under an idempotency key, and the one that works on it of those that bear the key. */
export interface Claim {
  readonly key: string;
  /** Made for each request, so that a call that is made again is known as its own. */
  readonly claimant: string;
}

/** What became of a file of a request. */
export type ClaimedResult =
  | { readonly uploadId: string; readonly originalFilename: string }
  | { readonly failed: FailedResult };

export interface FailedResult {
  readonly originalFilename: string;
  readonly statusCode: number;
  readonly error: string;
  /** JSON: what may be anything has no type that a call can carry. */
  readonly details?: string;
}

export interface StoredClaim {
  readonly claimant: string;
  /** What tells the request from another one under the same key. */
  readonly fingerprint: string;
  /** Under way: until then nobody else may take it over. Done: until then it is remembered. */
  readonly dueAt: number;
  /** Uploads that an alarm has kept, as their request ended before it could settle them. */
  readonly kept: readonly string[];
  /** Null while it is under way. */
  readonly results: readonly ClaimedResult[] | null;
}

/** For so long the answer to a request is remembered, and at least so long one that never ended. */
export const CLAIM_MS = 10 * 60_000;
/** Every row is looked at, so it is done seldom. */
const PRUNE_EVERY_MS = 60_000;
const TABLE = "request_claims";

interface Row extends Record<string, SqlStorageValue> {
  claimant: string;
  fingerprint: string;
  due_at: number;
  kept: string;
  results: string | null;
}

/**
 * The requests that were made under an idempotency key in the last ten minutes, a row each. The table is made when there is something
 * to put into it: most clients send no such key. All calls are synchronous.
 */
export class RequestClaims {
  readonly #sql: SqlStorage;
  #wasMade: boolean | undefined;
  #prunedAt = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Undefined where there is none, or it was forgotten by now. */
  find(key: string, now: number): StoredClaim | undefined {
    if (!this.#isMade) return undefined;
    const [row] = this.#sql
      .exec<Row>(`SELECT claimant, fingerprint, due_at, kept, results FROM ${TABLE} WHERE key = ?`, key)
      .toArray();
    if (row === undefined || (row.results !== null && row.due_at <= now)) return undefined;
    return {
      claimant: row.claimant,
      fingerprint: row.fingerprint,
      dueAt: row.due_at,
      kept: JSON.parse(row.kept) as string[],
      results: row.results === null ? null : (JSON.parse(row.results) as ClaimedResult[]),
    };
  }

  /** From here on the claimant works on it, and whoever did before does not. */
  put({ key, claimant }: Claim, fingerprint: string, dueAt: number): void {
    this.#make();
    this.#sql.exec(
      `INSERT OR REPLACE INTO ${TABLE} (key, claimant, fingerprint, due_at, kept, results) VALUES (?, ?, ?, ?, '[]', NULL)`,
      ...[key, claimant, fingerprint, dueAt],
    );
  }

  isHeldBy({ key, claimant }: Claim): boolean {
    if (!this.#isMade) return false;
    return this.#sql.exec(`SELECT 1 FROM ${TABLE} WHERE key = ? AND claimant = ?`, key, claimant).toArray().length > 0;
  }

  /** A sign of life of the claimant, while it is under way; in the past: it has none any more. */
  renew(claim: Claim, dueAt: number): void {
    this.#update(claim, "due_at = ?", dueAt);
  }

  /** An alarm has kept an upload of it. */
  keep(claim: Claim, uploadId: string): void {
    this.#update(claim, "kept = json_insert(kept, '$[#]', ?)", uploadId);
  }

  /** It is done: whoever sends it again is given these results. */
  settle(claim: Claim, results: readonly ClaimedResult[], now: number): void {
    this.#update(claim, "results = ?, due_at = ?", JSON.stringify(results), now + CLAIM_MS);
  }

  /** Forgets it, unless it is done. */
  remove({ key, claimant }: Claim): void {
    if (!this.#isMade) return;
    this.#sql.exec(`DELETE FROM ${TABLE} WHERE key = ? AND claimant = ? AND results IS NULL`, key, claimant);
  }

  /** Removes what is to be forgotten, at most once a minute. */
  prune(now: number): void {
    if (!this.#isMade || now < this.#prunedAt + PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    this.#sql.exec(`DELETE FROM ${TABLE} WHERE due_at <= iif(results IS NULL, ?, ?)`, now - CLAIM_MS, now);
  }

  /** Nothing of one that is done, or that another claimant has taken over. */
  #update({ key, claimant }: Claim, change: string, ...values: SqlStorageValue[]): void {
    if (!this.#isMade) return;
    const own = "key = ? AND claimant = ? AND results IS NULL";
    this.#sql.exec(`UPDATE ${TABLE} SET ${change} WHERE ${own}`, ...values, key, claimant);
  }

  /** Looked up when it is first of interest: most objects never want to know. */
  get #isMade(): boolean {
    this.#wasMade ??= this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = ?", TABLE).toArray().length > 0;
    return this.#wasMade;
  }

  #make(): void {
    if (this.#isMade) return;
    this.#sql.exec(`
      CREATE TABLE ${TABLE} (
        key TEXT PRIMARY KEY,
        claimant TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        due_at INTEGER NOT NULL,
        kept TEXT NOT NULL,
        results TEXT
      ) WITHOUT ROWID;
    `);
    this.#wasMade = true;
  }
}
