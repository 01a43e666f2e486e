import type { View } from "../../domain/view-pack.ts";
import type { KeyRequests } from "../key-requests.ts";
import type { LogPosition } from "../newest-views.ts";
import type { OperationDay } from "../operation-days.ts";
import type { LogFilter, Operation } from "../operation-log.ts";
import { type LogPage, type LogSlice, readLog } from "../read-log.ts";
import type { ViewPack } from "../view-packs.ts";
import { LifecycleMethods } from "./lifecycle-methods.ts";

/** What was counted: views and requests of keys as they come, the log and its days. */
export abstract class UsageMethods extends LifecycleMethods {
  /** Counts views that came one by one, and packs of them; those recorded before are left out. */
  async recordViews(views: readonly View[], packs: readonly ViewPack[] = []): Promise<void> {
    if (!(await this.load())) return;
    this.ctx.storage.transactionSync(() => this.books.ledger.recordViews(views, packs, Date.now()));
    await this.runner.scheduleAlarm();
  }

  /** Adds what an isolate has counted of the account's keys. @param batchId the same where it is sent again: it is added once */
  async recordKeyRequests(batchId: string, requests: readonly KeyRequests[]): Promise<void> {
    // One that is no more is not made again by what was counted of it.
    if (!this.books.ledger.exists || this.books.erasing) return;
    this.ctx.storage.transactionSync(() => this.books.keyRequests.record(batchId, requests, Date.now()));
  }

  /** What a key asked for on these days (since the epoch, UTC), both included. */
  async listKeyRequests(keyId: string, fromDay: number, toDay: number): Promise<KeyRequests[]> {
    return this.books.ledger.exists ? this.books.keyRequests.list(keyId, fromDay, toDay) : [];
  }

  /** Operations of the last 90 days, newest first, from a place on. */
  async walkOperations(limit: number, before?: LogPosition): Promise<Operation[]> {
    return (await this.load()) ? this.books.ledger.log.list(limit, before) : [];
  }

  /** A page of the operations of the last 90 days, newest first. */
  async listOperations(filter: LogFilter, slice: LogSlice): Promise<LogPage> {
    if (!(await this.load())) return { operations: [], total: 0, next: null };
    return readLog(() => this.books.ledger.log, filter, slice);
  }

  /** What was counted on each day from one to another, both included (`dayOf`); days without anything are left out. */
  async listOperationDays(from: number, to: number): Promise<OperationDay[]> {
    return (await this.load()) ? this.books.ledger.listDays(from, to) : [];
  }
}
