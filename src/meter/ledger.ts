import type { AccountSettings } from "../domain/account-settings.ts";
import { billingMonth, resetDay } from "../domain/calendar.ts";
import { OPERATIONS, type OperationClass } from "../domain/operations.ts";
import type { Shard } from "../domain/shard.ts";
import { TIERS, type TierName } from "../domain/tiers.ts";
import type { View } from "../domain/view-pack.ts";
import { type Operation, OperationLog } from "./operation-log.ts";
import type { ViewPack } from "./view-packs.ts";

export interface AccountState {
  readonly id: string;
  readonly tier: TierName;
  readonly billingAnchorAt: number | null;
  /** Where its library is. */
  readonly shard: Shard;
}

interface AccountRow extends Record<string, SqlStorageValue> {
  account_id: string;
  tier: TierName;
  billing_anchor_at: number | null;
  period_ends_at: number;
  used_tenths: number;
  /** The part of `used_tenths` that is views. */
  class_b_tenths: number;
  storage_bytes: number;
  auto_compress: number;
  compression_quality: number;
  shard: Shard;
}

const COLUMNS =
  "account_id, tier, billing_anchor_at, period_ends_at, used_tenths, class_b_tenths, storage_bytes, auto_compress, compression_quality, shard";

/**
 * The account's figures that must be exact: tier, this month's operations and bytes stored; and its settings. What is
 * counted here is logged. All calls are synchronous; callers wrap those that belong together in `transactionSync`.
 */
export class Ledger {
  readonly log: OperationLog;
  readonly #sql: SqlStorage;
  #row: AccountRow | undefined;

  constructor(sql: SqlStorage, log = new OperationLog(sql)) {
    this.#sql = sql;
    this.log = log;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS account (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        account_id TEXT NOT NULL,
        tier TEXT NOT NULL,
        billing_anchor_at INTEGER,
        period_ends_at INTEGER NOT NULL,
        used_tenths INTEGER NOT NULL,
        storage_bytes INTEGER NOT NULL,
        class_b_tenths INTEGER NOT NULL DEFAULT 0,
        auto_compress INTEGER NOT NULL,
        compression_quality INTEGER NOT NULL,
        shard TEXT NOT NULL
      );
    `);
    this.#row = sql.exec<AccountRow>(`SELECT ${COLUMNS} FROM account`).toArray()[0];
  }

  get exists(): boolean {
    return this.#row !== undefined;
  }

  /** Takes the account's facts over from the catalogue; nothing where they are known already. */
  create(state: AccountState & AccountSettings, now: number): void {
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
      shard: state.shard,
      ...toColumns(state),
    });
  }

  get settings(): AccountSettings {
    const { auto_compress, compression_quality } = this.#required();
    return { autoCompress: auto_compress !== 0, compressionQuality: compression_quality };
  }

  setSettings(settings: AccountSettings): void {
    this.#write({ ...this.#required(), ...toColumns(settings) });
  }

  /** Where the account's library is. */
  get shard(): Shard {
    return this.#required().shard;
  }

  setShard(shard: Shard): void {
    this.#write({ ...this.#required(), shard });
  }

  /** The account's id is stored, as an alarm does not know the name that its object was addressed by. */
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

  /** The part of this month's operations that is of class B. */
  classBTenths(now: number): number {
    this.#rollPeriod(now);
    return this.#required().class_b_tenths;
  }

  operationsResetAt(now: number): number {
    this.#rollPeriod(now);
    return this.#required().period_ends_at;
  }

  /** The count goes on under the new tier; the next reset follows the new tier's calendar. */
  setTier(state: Pick<AccountState, "tier" | "billingAnchorAt">, now: number): void {
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

  /** Logs and counts an upload or a delete, and the bytes that it stored or freed. False where it was counted before. */
  record(operation: Operation, storageBytes: number, now: number): boolean {
    if (!this.log.record(operation, storageBytes)) return false;
    this.#count(OPERATIONS[operation.type], now);
    this.addStorage(storageBytes);
    return true;
  }

  /** Takes back what an operation counted, once. The figure of this month does not change for an operation of another. */
  takeBack(operationId: string, now: number): void {
    const removed = this.log.remove(operationId);
    if (removed === undefined) return;
    this.#rollPeriod(now);
    const row = this.#required();
    const isOfThisMonth = removed.at >= billingMonth(now, resetDay(row.tier, row.billing_anchor_at)).startsAt;
    if (isOfThisMonth) this.#write({ ...row, used_tenths: Math.max(0, row.used_tenths - removed.weightTenths) });
    this.addStorage(-removed.storageBytes);
  }

  /** Logs and counts views, single ones and packs of them, those left out that were counted before. */
  recordViews(views: readonly View[], packs: readonly ViewPack[], now: number): void {
    const { class: operationClass, weightTenths } = OPERATIONS.view;
    const added = this.log.recordViews(views, packs);
    if (added > 0) this.#count({ class: operationClass, weightTenths: added * weightTenths }, now);
  }

  #count(counted: { readonly class: OperationClass; readonly weightTenths: number }, now: number): void {
    this.#rollPeriod(now);
    const row = this.#required();
    this.#write({
      ...row,
      used_tenths: row.used_tenths + counted.weightTenths,
      class_b_tenths: row.class_b_tenths + (counted.class === "B" ? counted.weightTenths : 0),
    });
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
      `INSERT OR REPLACE INTO account (one, ${COLUMNS}) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.account_id,
      row.tier,
      row.billing_anchor_at,
      row.period_ends_at,
      row.used_tenths,
      row.class_b_tenths,
      row.storage_bytes,
      row.auto_compress,
      row.compression_quality,
      row.shard,
    );
    this.#row = row;
  }
}

function toColumns({ autoCompress, compressionQuality }: AccountSettings) {
  return { auto_compress: autoCompress ? 1 : 0, compression_quality: compressionQuality };
}
