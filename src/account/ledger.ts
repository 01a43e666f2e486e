import { billingMonth, DAY_MS, resetDay } from "../domain/calendar.ts";
import { OPERATIONS, type OperationType } from "../domain/operations.ts";
import { TIERS, type TierName } from "../domain/tiers.ts";

/** How long the log keeps an operation. */
const LOG_DAYS = 90;
/** Rows of the log that one pruning removes at most, so that no alarm runs long. */
const PRUNE_ROWS = 5000;

export interface AccountState {
  readonly id: string;
  readonly tier: TierName;
  readonly billingAnchorAt: number | null;
}

export interface Operation {
  /** Says which change or which view this is: the same id is counted once, however often it is recorded. */
  readonly id: string;
  readonly type: OperationType;
  readonly at: number;
  readonly resourceId: string;
  readonly keyId: string | null;
}

interface AccountRow extends Record<string, SqlStorageValue> {
  account_id: string;
  tier: TierName;
  billing_anchor_at: number | null;
  period_ends_at: number;
  used_tenths: number;
  /** Those of `used_tenths` that are views. */
  class_b_tenths: number;
  storage_bytes: number;
}

/**
 * The figures that must be exact: tier, this month's operations, bytes stored, and the operation log. All calls are
 * synchronous; callers wrap those that belong together in `transactionSync`.
 */
export class Ledger {
  readonly #sql: SqlStorage;
  #row: AccountRow | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS account (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        account_id TEXT NOT NULL,
        tier TEXT NOT NULL,
        billing_anchor_at INTEGER,
        period_ends_at INTEGER NOT NULL,
        used_tenths INTEGER NOT NULL,
        storage_bytes INTEGER NOT NULL,
        class_b_tenths INTEGER NOT NULL DEFAULT 0
      );
      CREATE TABLE IF NOT EXISTS operations (
        id TEXT PRIMARY KEY,
        type TEXT NOT NULL,
        class TEXT NOT NULL,
        weight_tenths INTEGER NOT NULL,
        at INTEGER NOT NULL,
        resource_id TEXT NOT NULL,
        key_id TEXT
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS operations_by_time ON operations (at);
    `);
    // An object made before the classes were told apart.
    if (sql.exec("SELECT 1 FROM pragma_table_info('account') WHERE name = 'class_b_tenths'").toArray().length === 0) {
      sql.exec("ALTER TABLE account ADD COLUMN class_b_tenths INTEGER NOT NULL DEFAULT 0");
    }
    this.#row = sql
      .exec<AccountRow>(
        "SELECT account_id, tier, billing_anchor_at, period_ends_at, used_tenths, class_b_tenths, storage_bytes FROM account",
      )
      .toArray()[0];
  }

  get exists(): boolean {
    return this.#row !== undefined;
  }

  /** Takes the account's facts over from the catalogue; nothing where they are known already. */
  create(state: AccountState, now: number): void {
    if (this.#row !== undefined) return;
    const endsAt = billingMonth(now, resetDay(state.tier, state.billingAnchorAt)).endsAt;
    this.#write({
      account_id: state.id,
      tier: state.tier,
      billing_anchor_at: state.billingAnchorAt,
      period_ends_at: endsAt,
      used_tenths: 0,
      class_b_tenths: 0,
      storage_bytes: 0,
    });
  }

  /** Kept here, as an alarm is not told the name that its object was addressed by. */
  get accountId(): string {
    return this.#required().account_id;
  }

  get tier(): TierName {
    return this.#required().tier;
  }

  get storageBytes(): number {
    return this.#required().storage_bytes;
  }

  get storageLimitBytes(): number {
    return TIERS[this.tier].storageBytes;
  }

  get operationsLimit(): number {
    return TIERS[this.tier].operationsPerMonth;
  }

  /** This month's operations in tenths; starts again at the billing anniversary. */
  usedTenths(now: number): number {
    this.#rollPeriod(now);
    return this.#required().used_tenths;
  }

  /** Those of this month's operations that are of class B. */
  classBTenths(now: number): number {
    this.#rollPeriod(now);
    return this.#required().class_b_tenths;
  }

  operationsResetAt(now: number): number {
    this.#rollPeriod(now);
    return this.#required().period_ends_at;
  }

  /** The count goes on under the new tier; the next reset follows the new tier's calendar. */
  setTier(state: Omit<AccountState, "id">, now: number): void {
    this.#rollPeriod(now);
    const endsAt = billingMonth(now, resetDay(state.tier, state.billingAnchorAt)).endsAt;
    this.#write({
      ...this.#required(),
      tier: state.tier,
      billing_anchor_at: state.billingAnchorAt,
      period_ends_at: endsAt,
    });
  }

  addStorage(bytes: number): void {
    const row = this.#required();
    this.#write({ ...row, storage_bytes: Math.max(0, row.storage_bytes + bytes) });
  }

  /** Logs and counts an operation. False where it was counted before. */
  record(operation: Operation, now: number): boolean {
    this.#rollPeriod(now);
    const { class: operationClass, weightTenths } = OPERATIONS[operation.type];
    const { rowsWritten } = this.#sql.exec(
      "INSERT OR IGNORE INTO operations (id, type, class, weight_tenths, at, resource_id, key_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
      operation.id,
      operation.type,
      operationClass,
      weightTenths,
      operation.at,
      operation.resourceId,
      operation.keyId,
    );
    if (rowsWritten === 0) return false;
    const row = this.#required();
    this.#write({
      ...row,
      used_tenths: row.used_tenths + weightTenths,
      class_b_tenths: row.class_b_tenths + (operationClass === "B" ? weightTenths : 0),
    });
    return true;
  }

  /** Whether an operation was counted; the log knows those of the last 90 days. */
  isRecorded(operationId: string): boolean {
    return this.#sql.exec("SELECT 1 FROM operations WHERE id = ?", operationId).toArray().length > 0;
  }

  /** When the log next has something to forget; null while it is empty. */
  nextPruningAt(): number | null {
    const { at } = this.#sql.exec<{ at: number | null }>("SELECT min(at) AS at FROM operations").one();
    return at === null ? null : at + (LOG_DAYS + 1) * DAY_MS;
  }

  /** Forgets operations older than 90 days, a bounded number at a time. */
  pruneLog(now: number): void {
    this.#sql.exec(
      "DELETE FROM operations WHERE id IN (SELECT id FROM operations WHERE at < ? ORDER BY at LIMIT ?)",
      now - LOG_DAYS * DAY_MS,
      PRUNE_ROWS,
    );
  }

  #rollPeriod(now: number): void {
    const row = this.#required();
    if (now < row.period_ends_at) return;
    const endsAt = billingMonth(now, resetDay(row.tier, row.billing_anchor_at)).endsAt;
    this.#write({ ...row, period_ends_at: endsAt, used_tenths: 0, class_b_tenths: 0 });
  }

  #required(): AccountRow {
    if (this.#row === undefined) throw new Error("The account was not loaded");
    return this.#row;
  }

  #write(row: AccountRow): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO account (one, account_id, tier, billing_anchor_at, period_ends_at, used_tenths, class_b_tenths, storage_bytes) VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
      row.account_id,
      row.tier,
      row.billing_anchor_at,
      row.period_ends_at,
      row.used_tenths,
      row.class_b_tenths,
      row.storage_bytes,
    );
    this.#row = row;
  }
}
