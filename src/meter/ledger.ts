import type { AccountSettings } from "../domain/account-settings.ts";
import { billingMonth, dayOf, resetDay } from "../domain/calendar.ts";
import { OPERATIONS } from "../domain/operations.ts";
import type { Shard } from "../domain/shard.ts";
import { TIERS, type TierName } from "../domain/tiers.ts";
import type { View } from "../domain/view-pack.ts";
import { type AccountRow, AccountRowStore } from "./account-row.ts";
import { AlertStore } from "./alert-store.ts";
import { clockOf, lastDay, withCounted, withPeriod, withTakenBack, withTier } from "./month-count.ts";
import { type OperationDay, OperationDays } from "./operation-days.ts";
import { LOG_DAYS, type Operation, OperationLog } from "./operation-log.ts";
import type { ViewPack } from "./view-packs.ts";

export interface AccountState {
  readonly id: string;
  readonly tier: TierName;
  readonly billingAnchorAt: number | null;
  /** Where its library is. */
  readonly shard: Shard;
}

/**
 * The account's figures that must be exact: tier, this month's operations and bytes stored; and its settings. What is
 * counted here is logged, and added to its day: the days of a month make up its count. An operation belongs to the day and the
 * month in which it is counted, whatever began before. All calls are synchronous; callers wrap those that belong together in
 * `transactionSync`.
 */
export class Ledger {
  readonly log: OperationLog;
  readonly alerts: AlertStore;
  readonly #days: OperationDays;
  readonly #store: AccountRowStore;
  #row: AccountRow | undefined;
  #storageChanges = 0;
  #takenBack = 0;

  constructor(sql: SqlStorage, log = new OperationLog(sql), alerts = new AlertStore(sql)) {
    this.log = log;
    this.alerts = alerts;
    this.#days = new OperationDays(sql);
    this.#store = new AccountRowStore(sql);
    this.#row = this.#store.read();
  }

  get exists(): boolean {
    return this.#row !== undefined;
  }

  /** Takes the account's facts over from the catalogue; nothing where they are known already. */
  create(state: AccountState & AccountSettings, now: number): void {
    if (this.#row !== undefined) return;
    const { startsAt, endsAt } = billingMonth(now, resetDay(state.tier, state.billingAnchorAt));
    this.#write({
      account_id: state.id,
      tier: state.tier,
      billing_anchor_at: state.billingAnchorAt,
      period_starts_at: startsAt,
      period_ends_at: endsAt,
      used_tenths: 0,
      class_b_tenths: 0,
      day: dayOf(startsAt),
      day_a_tenths: 0,
      day_b_tenths: 0,
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

  /** What the directory should say, too. */
  get state(): AccountState {
    const { account_id: id, tier, billing_anchor_at: billingAnchorAt, shard } = this.#required();
    return { id, tier, billingAnchorAt, shard };
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

  /** The month's uploads and deletions. `takenBack` goes up whenever one is taken back, of whatever day. */
  month(now: number): { readonly startsAt: number; readonly classATenths: number; readonly takenBack: number } {
    this.#rollPeriod(now);
    const { period_starts_at: startsAt, used_tenths, class_b_tenths } = this.#required();
    return { startsAt, classATenths: used_tenths - class_b_tenths, takenBack: this.#takenBack };
  }

  operationsResetAt(now: number): number {
    this.#rollPeriod(now);
    return this.#required().period_ends_at;
  }

  /**
   * What was counted on each day from one to another, both included; days without anything are left out. The days since the month's
   * count began add up to it.
   */
  listDays(from: number, to: number): OperationDay[] {
    const days = this.#days.list(from, to);
    const last = lastDay(this.#required());
    return last === undefined || last.day < from || last.day > to ? days : [...days, last];
  }

  /** The count goes on under the new tier (`withTier`). */
  setTier(tier: Pick<AccountState, "tier" | "billingAnchorAt">, now: number): void {
    this.#write(withTier(this.#required(), tier, now, (from) => this.listDays(from, Number.MAX_SAFE_INTEGER)));
  }

  /** Goes up whenever the storage figure changes: whoever compares it can tell whether it stood still meanwhile. */
  get storageChanges(): number {
    return this.#storageChanges;
  }

  addStorage(bytes: number): void {
    this.#write(withStorage(this.#required(), bytes));
  }

  /** `now` on the clock of what was counted (`clockOf`). */
  clock(now: number): number {
    return clockOf(this.#required(), now);
  }

  /** Logs and counts an upload or a delete, and the bytes that it stored or freed. False where it was counted before. */
  record(operation: Operation, storageBytes: number, now: number): boolean {
    if (!this.log.record(operation, storageBytes)) return false;
    const { class: operationClass, weightTenths } = OPERATIONS[operation.type];
    const isClassB = operationClass === "B";
    const counted = { classATenths: isClassB ? 0 : weightTenths, classBTenths: isClassB ? weightTenths : 0 };
    this.#write(withStorage(this.#counted(counted, now), storageBytes));
    return true;
  }

  /** Takes back what an operation counted, once. The figure of this month does not change for an operation of another. */
  takeBack(operationId: string, now: number): void {
    const removed = this.log.remove(operationId);
    if (removed === undefined) return;
    this.#takenBack += 1;
    this.#rollPeriod(now);
    const row = withStorage(this.#required(), -removed.storageBytes);
    const day = dayOf(removed.at);
    if (day !== row.day) this.#days.takeBack(day, removed.weightTenths);
    this.#write(withTakenBack(row, removed));
  }

  /**
   * Logs and counts views, single ones and packs of them, those left out that were counted before. They are of the day on which they
   * are counted, about a minute after they were made; the log has their own times.
   */
  recordViews(views: readonly View[], packs: readonly ViewPack[], now: number): void {
    const added = this.log.recordViews(views, packs);
    if (added === 0) return;
    this.#write(this.#counted({ classATenths: 0, classBTenths: added * OPERATIONS.view.weightTenths }, now));
  }

  /** Counts the month's uploads and deletions again. @param tenths of each of its days */
  recount(tenths: ReadonlyMap<number, number>): void {
    const row = this.#required();
    for (const [day, ofDay] of tenths) if (day !== row.day) this.#days.setClassA(day, ofDay);
    const used = [...tenths.values()].reduce((sum, ofDay) => sum + ofDay, row.class_b_tenths);
    this.#write({ ...row, used_tenths: used, day_a_tenths: tenths.get(row.day) ?? row.day_a_tenths });
  }

  /** Forgets what is older than the log, some of it. */
  prune(now: number): void {
    this.log.prune(now);
    this.#days.dropBefore(dayOf(now) - LOG_DAYS);
  }

  /** The row with so much more counted. A day that is over goes into a row of its own. */
  #counted(counted: Parameters<typeof withCounted>[1], now: number): AccountRow {
    const { row, closed } = withCounted(this.#required(), counted, now);
    if (closed !== undefined) this.#days.add(closed);
    return row;
  }

  #rollPeriod(now: number): void {
    const row = this.#required();
    const rolled = withPeriod(row, now);
    if (rolled !== row) this.#write(rolled);
  }

  #required(): AccountRow {
    if (this.#row === undefined) throw new Error("The account was not loaded");
    return this.#row;
  }

  #write(row: AccountRow): void {
    if (row.storage_bytes !== this.#row?.storage_bytes) this.#storageChanges += 1;
    this.#store.write(row);
    this.#row = row;
    // Whatever has changed the count, the month or the limit.
    this.alerts.notice({
      tier: row.tier,
      usedTenths: row.used_tenths,
      monthStartsAt: row.period_starts_at,
      monthEndsAt: row.period_ends_at,
    });
  }
}

function withStorage(row: AccountRow, bytes: number): AccountRow {
  return { ...row, storage_bytes: Math.max(0, row.storage_bytes + bytes) };
}

function toColumns({ autoCompress, compressionQuality }: AccountSettings) {
  return { auto_compress: autoCompress ? 1 : 0, compression_quality: compressionQuality };
}
