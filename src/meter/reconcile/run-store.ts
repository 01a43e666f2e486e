import type { Shard } from "../../domain/ids.ts";
import type { Finding, FindingKind } from "./finding.ts";
import type { ListedAccount } from "./list-accounts.ts";

/** Findings that are stored for a run, and for an account in it. Further findings are only counted. */
const MAX_FINDINGS = 1000;
const MAX_FINDINGS_OF_ACCOUNT = 50;

/** A comparison of all accounts, and its position. Times are milliseconds since the epoch. */
export interface ReconcileRun {
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly repair: boolean;
  /** The last account that was listed for comparison; null when all are listed. */
  readonly after: string | null;
  /** The shard whose search index is compared, and the position in it; undefined before the first shard. */
  readonly search?: { readonly shard: Shard; readonly after: string | null; readonly merges: number };
  readonly accounts: number;
  /** Accounts that were being moved, or changed in every attempt. */
  readonly postponed: number;
  readonly uploads: number;
  readonly objects: number;
  readonly found: Partial<Record<FindingKind, number>>;
  readonly repaired: Partial<Record<FindingKind, number>>;
}

export interface RunFinding extends Finding {
  /** Null if the finding belongs to no account. */
  readonly accountId: string | null;
}

export interface DueAccount extends ListedAccount {
  /** The position of its next step; null at the beginning. */
  readonly from: string | null;
  readonly attempts: number;
}

/** The last run, the run in progress, and the accounts that are being compared. All calls are synchronous. */
export class RunStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS runs (started_at INTEGER PRIMARY KEY, payload TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS findings (
        number INTEGER PRIMARY KEY,
        started_at INTEGER NOT NULL,
        account_id TEXT,
        payload TEXT NOT NULL
      );
      CREATE TABLE IF NOT EXISTS due (
        account_id TEXT PRIMARY KEY,
        payload TEXT NOT NULL,
        position TEXT,
        attempts INTEGER NOT NULL DEFAULT 0
      ) WITHOUT ROWID;
    `);
  }

  /** The run in progress, if there is one. */
  get current(): ReconcileRun | undefined {
    const [latest] = this.#latest(1);
    return latest?.finishedAt === null ? latest : undefined;
  }

  /** The last finished run. */
  get last(): ReconcileRun | undefined {
    return this.#latest(2).find(({ finishedAt }) => finishedAt !== null);
  }

  /** Begins a run. Only the last one of the earlier runs is kept. */
  begin(startedAt: number, repair: boolean): ReconcileRun {
    const figures = { accounts: 0, postponed: 0, uploads: 0, objects: 0, found: {}, repaired: {} };
    const run: ReconcileRun = { startedAt, finishedAt: null, repair, after: "", ...figures };
    this.#sql.exec("DELETE FROM due");
    this.write(run);
    const kept = "SELECT started_at FROM runs ORDER BY started_at DESC LIMIT 2";
    this.#sql.exec(`DELETE FROM findings WHERE started_at NOT IN (${kept})`);
    this.#sql.exec(`DELETE FROM runs WHERE started_at NOT IN (${kept})`);
    return run;
  }

  write(run: ReconcileRun): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO runs (started_at, payload) VALUES (?, ?)",
      run.startedAt,
      JSON.stringify(run),
    );
  }

  /** Adds findings to the run in progress. */
  addFindings(accountId: string | null, findings: readonly Finding[]): void {
    const run = this.current;
    if (run === undefined || findings.length === 0) return;
    const [found, repaired] = [{ ...run.found }, { ...run.repaired }];
    for (const finding of findings) {
      found[finding.kind] = (found[finding.kind] ?? 0) + 1;
      if (finding.repaired) repaired[finding.kind] = (repaired[finding.kind] ?? 0) + 1;
    }
    this.write({ ...run, found, repaired });
    const { all, own } = this.#sql
      .exec<{ all: number; own: number }>(
        'SELECT count(*) AS "all", coalesce(sum(account_id IS ?), 0) AS own FROM findings WHERE started_at = ?',
        accountId,
        run.startedAt,
      )
      .one();
    const room = Math.max(0, Math.min(MAX_FINDINGS - all, MAX_FINDINGS_OF_ACCOUNT - own));
    for (const finding of findings.slice(0, room)) {
      const payload = JSON.stringify({ accountId, ...finding });
      this.#sql.exec(
        "INSERT INTO findings (started_at, account_id, payload) VALUES (?, ?, ?)",
        run.startedAt,
        accountId,
        payload,
      );
    }
  }

  findings({ startedAt }: ReconcileRun): RunFinding[] {
    return this.#sql
      .exec<{ payload: string }>("SELECT payload FROM findings WHERE started_at = ? ORDER BY number", startedAt)
      .toArray()
      .map(({ payload }) => JSON.parse(payload) as RunFinding);
  }

  putDue(accounts: readonly ListedAccount[]): void {
    for (const account of accounts) {
      this.#sql.exec(
        "INSERT OR REPLACE INTO due (account_id, payload) VALUES (?, ?)",
        account.id,
        JSON.stringify(account),
      );
    }
  }

  listDue(limit: number): DueAccount[] {
    return this.#sql
      .exec<{ payload: string; position: string | null; attempts: number }>(
        "SELECT payload, position, attempts FROM due ORDER BY attempts, account_id LIMIT ?",
        limit,
      )
      .toArray()
      .map(({ payload, position, attempts }) => ({
        ...(JSON.parse(payload) as ListedAccount),
        from: position,
        attempts,
      }));
  }

  /** Stores the position of an account's comparison. */
  advance(accountId: string, from: string): void {
    this.#sql.exec("UPDATE due SET position = ?, attempts = 0 WHERE account_id = ?", from, accountId);
  }

  fail(accountId: string): void {
    this.#sql.exec("UPDATE due SET attempts = attempts + 1 WHERE account_id = ?", accountId);
  }

  removeDue(accountId: string): void {
    this.#sql.exec("DELETE FROM due WHERE account_id = ?", accountId);
  }

  #latest(limit: number): ReconcileRun[] {
    return this.#sql
      .exec<{ payload: string }>("SELECT payload FROM runs ORDER BY started_at DESC LIMIT ?", limit)
      .toArray()
      .map(({ payload }) => JSON.parse(payload) as ReconcileRun);
  }
}
