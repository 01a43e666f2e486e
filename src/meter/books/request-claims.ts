import type { ErrorCode } from "../../domain/errors.ts";
import type { Leases } from "./leases.ts";

/** An idempotency key and the request that carries out the work for it. */
export interface Claim {
  readonly key: string;
  /** A new id for each request, so that a repeated call is recognised. */
  readonly claimant: string;
}

/** The lease of a claim. */
export function claimLease({ claimant }: Pick<Claim, "claimant">): string {
  return `claim:${claimant}`;
}

/** The result of one file of a request. */
export type ClaimedResult =
  | { readonly uploadId: string; readonly originalFilename: string; readonly isDuplicate?: boolean }
  | { readonly failed: FailedResult };

export interface FailedResult {
  readonly originalFilename: string;
  readonly statusCode: number;
  readonly code: ErrorCode;
  readonly error: string;
  /** JSON, because RPC has no type for arbitrary values. */
  readonly details?: string;
}

export interface StoredClaim {
  readonly claimant: string;
  /** Identifies the request's content; undefined until its body is read to the end. */
  readonly fingerprint: string | undefined;
  /**
   * While the request is in progress: the time before which no other request may take over. When it is done: the time until which the
   * answer is stored.
   */
  readonly dueAt: number;
  /** Uploads that an alarm kept because their request died before it settled them, and the upload in pieces that the request created. */
  readonly kept: readonly string[];
  /** Null while the request is in progress. */
  readonly results: readonly ClaimedResult[] | null;
}

/** The time for which an answer is stored, and the least time for which a claim without an answer is stored. */
const CLAIM_MS = 10 * 60_000;
/** The row of a claim whose request is still alive is written again after this time. It is pruned `CLAIM_MS` after its time. */
const RENEWED_AFTER_MS = CLAIM_MS / 2;
/** Pruning reads every row, so it runs seldom. */
const PRUNE_EVERY_MS = 60_000;
const TABLE = "request_claims";
/** Earlier versions identified a request by type and length. Such a record cannot be compared with a content. */
const FINGERPRINT = /^[0-9a-f]{64}$/;

interface Row extends Record<string, SqlStorageValue> {
  claimant: string;
  fingerprint: string;
  due_at: number;
  kept: string;
  results: string | null;
}

/**
 * The requests with an idempotency key of the last ten minutes, one row each. The table is created with the first row: most clients send no
 * such key. All calls are synchronous.
 */
export class RequestClaims {
  readonly #sql: SqlStorage;
  readonly #leases: Pick<Leases, "until">;
  #wasMade: boolean | undefined;
  #prunedAt = 0;

  constructor(sql: SqlStorage, leases: Pick<Leases, "until"> = { until: () => 0 }) {
    this.#sql = sql;
    this.#leases = leases;
  }

  /** Undefined if there is no claim, or it expired. */
  find(key: string, now: number): StoredClaim | undefined {
    if (!this.#isMade) return undefined;
    const [row] = this.#sql
      .exec<Row>(`SELECT claimant, fingerprint, due_at, kept, results FROM ${TABLE} WHERE key = ?`, key)
      .toArray();
    if (row === undefined) return undefined;
    const fingerprint = FINGERPRINT.test(row.fingerprint) ? row.fingerprint : undefined;
    if (row.results !== null && (row.due_at <= now || fingerprint === undefined)) return undefined;
    return {
      claimant: row.claimant,
      fingerprint,
      dueAt: row.results === null ? Math.max(row.due_at, this.#leases.until(claimLease(row))) : row.due_at,
      kept: JSON.parse(row.kept) as string[],
      results: row.results === null ? null : (JSON.parse(row.results) as ClaimedResult[]),
    };
  }

  /** Gives the claim to this claimant. The claimant before loses it. */
  put({ key, claimant }: Claim, dueAt: number): void {
    this.#make();
    this.#sql.exec(
      `INSERT OR REPLACE INTO ${TABLE} (key, claimant, fingerprint, due_at, kept, results) VALUES (?, ?, '', ?, '[]', NULL)`,
      key,
      claimant,
      dueAt,
    );
  }

  /** Records the content's fingerprint, when the claimant's body was read to the end. */
  identify(claim: Claim, fingerprint: string): void {
    this.#update(claim, "fingerprint = ?", fingerprint);
  }

  isHeldBy({ key, claimant }: Claim): boolean {
    if (!this.#isMade) return false;
    return this.#sql.exec(`SELECT 1 FROM ${TABLE} WHERE key = ? AND claimant = ?`, key, claimant).toArray().length > 0;
  }

  /** Moves the time until which the claimant holds the claim. */
  renew(claim: Claim, dueAt: number): void {
    this.#update(claim, "due_at = ?", dueAt);
  }

  /** Writes the row again if it would be pruned before the claim's lease ends, because a lease lasts longer. */
  renewOld({ key, claimant }: Claim, dueAt: number): void {
    if (!this.#isMade) return;
    this.#sql.exec(
      `UPDATE ${TABLE} SET due_at = ? WHERE key = ? AND claimant = ? AND results IS NULL AND due_at < ?`,
      dueAt,
      key,
      claimant,
      dueAt - RENEWED_AFTER_MS,
    );
  }

  /** Records that an alarm has kept an upload of the claim. */
  keep(claim: Claim, uploadId: string): void {
    this.#update(claim, "kept = json_insert(kept, '$[#]', ?)", uploadId);
  }

  /** Records the results, which a repeated request gets. */
  settle(claim: Claim, results: readonly ClaimedResult[], now: number): void {
    this.#update(claim, "results = ?, due_at = ?", JSON.stringify(results), now + CLAIM_MS);
  }

  /** Removes a claim, unless its request is done. */
  remove({ key, claimant }: Claim): void {
    if (!this.#isMade) return;
    this.#sql.exec(`DELETE FROM ${TABLE} WHERE key = ? AND claimant = ? AND results IS NULL`, key, claimant);
  }

  /** Removes expired claims, at most once a minute. */
  prune(now: number): void {
    if (!this.#isMade || now < this.#prunedAt + PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    this.#sql.exec(`DELETE FROM ${TABLE} WHERE due_at <= iif(results IS NULL, ?, ?)`, now - CLAIM_MS, now);
  }

  /** Changes nothing if the claim is done or another claimant holds it. */
  #update({ key, claimant }: Claim, change: string, ...values: SqlStorageValue[]): void {
    if (!this.#isMade) return;
    const own = "key = ? AND claimant = ? AND results IS NULL";
    this.#sql.exec(`UPDATE ${TABLE} SET ${change} WHERE ${own}`, ...values, key, claimant);
  }

  /** The table is read when it is first needed, because most objects never need it. */
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
