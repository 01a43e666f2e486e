import type { AccountSettings } from "../../domain/account-settings.ts";
import { OPERATIONS } from "../../domain/allowance.ts";
import { billingMonth, dayOf, resetDay, secondsUntil } from "../../domain/calendar.ts";
import type { Shard } from "../../domain/ids.ts";
import { UNVERIFIED_STORAGE_BYTES } from "../../domain/mail-proofs.ts";
import { METADATA_MODES } from "../../domain/metadata-mode.ts";
import { TIERS, type TierName } from "../../domain/tiers.ts";
import type { View } from "../../domain/view-pack.ts";
import { AlertStore } from "../alerts/alert-store.ts";
import type { Alarm } from "../object-alarm.ts";
import type { ViewPack } from "../views/view-packs.ts";
import {
  type AccountRow,
  AccountRowStore,
  clockOf,
  lastDay,
  withCounted,
  withPeriod,
  withTakenBack,
  withTier,
} from "./account-row.ts";
import type { AccountFigures, Exhausted } from "./figures.ts";
import type { Operation } from "./operation.ts";
import { type OperationDay, OperationDays } from "./operation-days.ts";
import { LOG_DAYS, OperationLog, pruningAfter } from "./operation-log.ts";
import type { RemovedOperation } from "./uploads-and-deletions.ts";

export interface AccountState {
  readonly id: string;
  readonly tier: TierName;
  readonly billingAnchorAt: number | null;
  /** The shard of the account's library. */
  readonly shard: Shard;
  /** The time at which the account is erased unless its address is verified; null: never. */
  readonly verifyBy: number | null;
}

export interface LedgerOptions {
  /** Whether addresses have to be verified. */
  requiresVerification(): boolean;
  readonly alarm: Alarm;
}

/**
 * The account's exact figures: tier, this month's operations, stored bytes; and its settings. Each counted operation is logged and added to
 * its day, and the days of a month add up to the month's count. An operation belongs to the day and month in which it is counted. All calls
 * are synchronous; callers wrap calls that belong together in `transactionSync`.
 */
export class Ledger {
  readonly log: OperationLog;
  readonly alerts: AlertStore;
  readonly #days: OperationDays;
  readonly #store: AccountRowStore;
  readonly #options: LedgerOptions;
  #row: AccountRow | undefined;
  #storageChanges = 0;
  #takenBack = 0;

  constructor(
    sql: SqlStorage,
    log = new OperationLog(sql),
    alerts = new AlertStore(sql),
    options: LedgerOptions = { requiresVerification: () => false, alarm: { bringForward: () => {} } },
  ) {
    this.#options = options;
    this.log = log;
    this.alerts = alerts;
    this.#days = new OperationDays(sql);
    this.#store = new AccountRowStore(sql);
    this.#row = this.#store.read();
  }

  get exists(): boolean {
    return this.#row !== undefined;
  }

  /** Copies the account's facts from the directory, unless they are known already. */
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
      egress_bytes: 0,
      day: dayOf(startsAt),
      day_a_tenths: 0,
      day_b_tenths: 0,
      storage_bytes: 0,
      shard: state.shard,
      verify_by: state.verifyBy ?? 0,
      ...toColumns(state),
    });
  }

  get settings(): AccountSettings {
    const { auto_compress, compression_quality, metadata_mode } = this.#required();
    const metadata = METADATA_MODES[metadata_mode - 1];
    return {
      autoCompress: auto_compress !== 0,
      compressionQuality: compression_quality,
      ...(metadata === undefined ? {} : { metadata }),
    };
  }

  setSettings(settings: AccountSettings): void {
    this.#write({ ...this.#required(), ...toColumns(settings) });
  }

  /** The shard of the account's library. */
  get shard(): Shard {
    return this.#required().shard;
  }

  setShard(shard: Shard): void {
    this.#write({ ...this.#required(), shard });
  }

  /** The facts that the directory also stores. */
  get state(): AccountState {
    const { account_id: id, tier, billing_anchor_at: billingAnchorAt, shard, verify_by } = this.#required();
    return { id, tier, billingAnchorAt, shard, verifyBy: verify_by === 0 ? null : verify_by };
  }

  /** The account's id is stored, because an alarm does not know the object's name. */
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
    const { storageBytes } = TIERS[this.tier];
    const isLimited = this.verificationDueAt !== null && this.#options.requiresVerification();
    return isLimited ? Math.min(UNVERIFIED_STORAGE_BYTES, storageBytes) : storageBytes;
  }

  setVerifyBy(verifyBy: number | null): void {
    this.#write({ ...this.#required(), verify_by: verifyBy ?? 0 });
  }

  /**
   * The time at which the account is erased unless its address is verified; null: never. Accounts of paid tiers are never erased for this
   * reason.
   */
  get verificationDueAt(): number | null {
    const { tier, verifyBy } = this.state;
    return tier === "free" ? verifyBy : null;
  }

  get operationsLimit(): number {
    return TIERS[this.tier].operationsPerMonth;
  }

  /** This month's operations in tenths. The count resets at the billing anniversary. */
  usedTenths(now: number): number {
    this.#rollPeriod(now);
    return this.#required().used_tenths;
  }

  /** The Class B part of this month's operations. */
  classBTenths(now: number): number {
    this.#rollPeriod(now);
    return this.#required().class_b_tenths;
  }

  /** The bytes of files that were sent this month (FILE-12). */
  egressBytes(now: number): number {
    this.#rollPeriod(now);
    return this.#required().egress_bytes;
  }

  /** The month's uploads and deletions. `takenBack` increases each time an operation of any day is taken back. */
  month(now: number): { readonly startsAt: number; readonly classATenths: number; readonly takenBack: number } {
    this.#rollPeriod(now);
    const { period_starts_at: startsAt, used_tenths, class_b_tenths } = this.#required();
    return { startsAt, classATenths: used_tenths - class_b_tenths, takenBack: this.#takenBack };
  }

  operationsResetAt(now: number): number {
    this.#rollPeriod(now);
    return this.#required().period_ends_at;
  }

  figures(now: number): AccountFigures {
    return {
      tier: this.tier,
      operationsUsedTenths: this.usedTenths(now),
      classBTenths: this.classBTenths(now),
      egressBytes: this.egressBytes(now),
      operationsLimit: this.operationsLimit,
      operationsResetAt: this.operationsResetAt(now),
      storageUsedBytes: this.storageBytes,
      storageLimitBytes: this.storageLimitBytes,
    };
  }

  /** Whether the month's operations are used up. */
  isExhausted(now: number): boolean {
    return this.usedTenths(now) >= this.operationsLimit * 10;
  }

  exhausted(now: number): Exhausted {
    const figures = this.figures(now);
    const retryAfterSeconds = secondsUntil(figures.operationsResetAt, now);
    return { outcome: "operations-exhausted", retryAfterSeconds, figures };
  }

  /** The counts of these days, both included; days without operations are left out. The days since the month began add up to its count. */
  listDays(from: number, to: number): OperationDay[] {
    const days = this.#days.list(from, to);
    const last = lastDay(this.#required());
    return last === undefined || last.day < from || last.day > to ? days : [...days, last];
  }

  /** Changes the tier; the count continues (`withTier`). */
  setTier(tier: Pick<AccountState, "tier" | "billingAnchorAt">, now: number): void {
    this.#write(withTier(this.#required(), tier, now, (from) => this.listDays(from, Number.MAX_SAFE_INTEGER)));
  }

  /** Increases with each change of the storage figure, so that a comparison can detect a change. */
  get storageChanges(): number {
    return this.#storageChanges;
  }

  addStorage(bytes: number): void {
    this.#write(withStorage(this.#required(), bytes));
  }

  /** Returns `now`, but never a time before the account's last one (`clockOf`). */
  clock(now: number): number {
    return clockOf(this.#required(), now);
  }

  /** Logs and counts an upload or a deletion, and the bytes that it stored or freed. @returns false if it was counted before */
  record(operation: Operation, storageBytes: number, now: number): boolean {
    if (!this.log.record(operation, storageBytes)) return false;
    const { class: operationClass, weightTenths } = OPERATIONS[operation.type];
    const isClassB = operationClass === "B";
    const counted = { classATenths: isClassB ? 0 : weightTenths, classBTenths: isClassB ? weightTenths : 0 };
    this.#write(withStorage(this.#counted(counted, now), storageBytes));
    this.#options.alarm.bringForward(pruningAfter(now));
    return true;
  }

  /**
   * Takes back an operation's count, once. An operation of an earlier month does not change this month's figure.
   * @returns undefined if it was not counted
   */
  takeBack(operationId: string, now: number): RemovedOperation | undefined {
    const removed = this.log.remove(operationId);
    if (removed === undefined) return undefined;
    this.#takenBack += 1;
    this.#rollPeriod(now);
    const row = withStorage(this.#required(), -removed.storageBytes);
    const day = dayOf(removed.at);
    if (day !== row.day) this.#days.takeBack(day, removed.weightTenths);
    this.#write(withTakenBack(row, removed));
    return removed;
  }

  /**
   * Logs and counts single views and packs of views, with the bytes that were sent. A view that was counted before is left out. A view counts
   * on the day on which it arrives here, about a minute after it was made. The log keeps the time at which it was made.
   */
  recordViews(views: readonly View[], packs: readonly ViewPack[], now: number): void {
    let egressBytes = 0;
    const added = this.log.recordViews(views, packs, (bytes) => {
      egressBytes += bytes;
    });
    if (added === 0 && egressBytes === 0) return;
    const row = this.#counted({ classATenths: 0, classBTenths: added * OPERATIONS.view.weightTenths }, now);
    this.#write({ ...row, egress_bytes: row.egress_bytes + egressBytes });
    this.#options.alarm.bringForward(pruningAfter(now));
  }

  /** Counts the month's uploads and deletions again. @param tenths the count of each of its days */
  recount(tenths: ReadonlyMap<number, number>): void {
    const row = this.#required();
    for (const [day, ofDay] of tenths) if (day !== row.day) this.#days.setClassA(day, ofDay);
    const used = [...tenths.values()].reduce((sum, ofDay) => sum + ofDay, row.class_b_tenths);
    this.#write({ ...row, used_tenths: used, day_a_tenths: tenths.get(row.day) ?? row.day_a_tenths });
  }

  /** Removes some operations that are older than the log. */
  prune(now: number): void {
    this.log.prune(now);
    this.#days.dropBefore(dayOf(now) - LOG_DAYS);
  }

  /** Adds to the row's counts. A day that has ended gets a row of its own. */
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
    const { verificationDueAt } = this;
    if (verificationDueAt !== null) this.#options.alarm.bringForward(verificationDueAt);
    // The count, the month or the limit may have changed.
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

function toColumns({ autoCompress, compressionQuality, metadata }: AccountSettings) {
  return {
    auto_compress: autoCompress ? 1 : 0,
    compression_quality: compressionQuality,
    metadata_mode: metadata === undefined ? 0 : METADATA_MODES.indexOf(metadata) + 1,
  };
}
