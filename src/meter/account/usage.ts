import type { View } from "../../domain/view-pack.ts";
import type { KeyRequests } from "../books/key-requests.ts";
import type { LogFilter, Operation } from "../books/operation.ts";
import type { OperationDay } from "../books/operation-days.ts";
import { type LogPage, type LogSlice, readLog } from "../books/read-log.ts";
import type { LogPosition } from "../views/log-position.ts";
import type { ViewPack } from "../views/view-packs.ts";
import type { MeterContext } from "./context.ts";

/** Counts single views and packs of views. Views that were recorded before are left out. */
export async function recordViews(
  { storage, tables, load }: MeterContext,
  views: readonly View[],
  packs: readonly ViewPack[],
): Promise<void> {
  if (!(await load())) return;
  storage.transactionSync(() => tables.ledger.recordViews(views, packs, Date.now()));
}

/** Adds an isolate's counts of the account's keys. The counts do not create an erased account again. */
export function recordKeyRequests(
  { storage, tables }: MeterContext,
  batchId: string,
  requests: readonly KeyRequests[],
): void {
  if (!tables.ledger.exists || tables.erasing) return;
  storage.transactionSync(() => tables.keyRequests.record(batchId, requests, Date.now()));
}

export function listKeyRequests(
  { tables }: MeterContext,
  keyId: string,
  fromDay: number,
  toDay: number,
): KeyRequests[] {
  return tables.ledger.exists ? tables.keyRequests.list(keyId, fromDay, toDay) : [];
}

export async function walkOperations(
  { tables, load }: MeterContext,
  limit: number,
  before?: LogPosition,
): Promise<Operation[]> {
  return (await load()) ? tables.ledger.log.list(limit, before) : [];
}

export async function listOperations(
  { tables, load }: MeterContext,
  filter: LogFilter,
  slice: LogSlice,
): Promise<LogPage> {
  if (!(await load())) return { operations: [], total: 0, next: null };
  return readLog(() => tables.ledger.log, filter, slice);
}

export async function listOperationDays(
  { tables, load }: MeterContext,
  from: number,
  to: number,
): Promise<OperationDay[]> {
  return (await load()) ? tables.ledger.listDays(from, to) : [];
}
