import { retryQueue } from "../isolate/retry-queue.ts";
import { AlertMethods } from "./account/alert-methods.ts";
import { openIntentStores } from "./account/open-intent-stores.ts";
import type { IntentRetry, IntentSummary } from "./answers.ts";
import { eraseAgain } from "./reconcile/erase-again.ts";
import type { ReconcileOrder, ReconcileStep } from "./reconcile/finding.ts";
import { reconcileAccount } from "./reconcile/reconcile-account.ts";
import { retryStub } from "./retry-stub.ts";
import { sendDueAlerts } from "./send-due-alerts.ts";
import { SERVICE_METER_NAME } from "./service-meter.ts";
import { TOMBSTONE_MS } from "./tombstone.ts";

/**
 * What must be exact and serial for one account: the rate window, the month's operations, storage used, the operation log,
 * credentials that live, and intents. RPC methods answer tagged unions, as an error loses its class on the way. All sizes
 * are bytes, all times milliseconds since the epoch.
 *
 * Its methods are in groups, a class each in `account/`, every one of which adds its own to those before:
 * `AccountObject` (what they all work with), admission, uploads, resumable uploads, the library, credentials, the account's
 * life, usage, alerts; and here those of the service itself: the operator's, the nightly job's and the alarm.
 */
export class AccountMeter extends AlertMethods {
  /** The intents that are not settled, those that are due first. */
  async listIntents(limit: number): Promise<IntentSummary[]> {
    return this.books.intents.list(limit).map(({ id, intent, dueAt, attempts }) => ({
      ...{ id, kind: intent.kind, dueAt, attempts },
      reason: this.overdue.reasonOf(id) ?? null,
    }));
  }

  /** Replays an intent at once whose time is up or whose replay failed, and tells the operator's listing what came of it. */
  async retryIntent(id: string): Promise<IntentRetry> {
    const accountId = this.books.ledger.exists ? this.books.ledger.accountId : this.ctx.id.name;
    const stored = this.books.intents.find(id);
    if (stored !== undefined && stored.attempts === 0 && stored.dueAt > Date.now()) return { outcome: "under-way" };
    if (stored !== undefined) await this.runner.replayNow(id);
    // Also where nothing is known here: the listing may have what another way has settled.
    if (accountId !== undefined) await this.#reportOverdue(accountId);
    const reason = this.books.intents.find(id) === undefined ? undefined : this.overdue.reasonOf(id);
    if (reason !== undefined) return { outcome: "failed", reason };
    return { outcome: stored === undefined ? "gone" : "done" };
  }

  /**
   * Goes on with comparing what the stores have of the account, for one bounded step, and repairs what is safe where that is ordered.
   * Steps of different calls do each other no harm.
   */
  async reconcile({ from, places, maxOrphans, ...order }: ReconcileOrder): Promise<ReconcileStep> {
    const { erasedAt } = this.books.tombstone;
    if (erasedAt !== undefined)
      return eraseAgain(openIntentStores(this.env, this.books, { id: this.ctx.id.name ?? "" }), {
        places,
        repair: order.repair,
      });
    if (!(await this.load())) return { outcome: "unknown" };
    const stores = this.openStores();
    const { books, runner } = this;
    return reconcileAccount({ stores, books, runner, ...order, orphans: { left: maxOrphans } }, from, places);
  }

  /** Sends alerts on their way, and replays intents that nobody settled in time. */
  override async alarm(): Promise<void> {
    if (await this.#forgetTombstone()) return;
    // It may be forgotten at the end.
    const accountId = this.books.ledger.exists ? this.books.ledger.accountId : undefined;
    if (this.books.ledger.exists) await sendDueAlerts(this.books, retryQueue(this.env.ALERTS));
    if (this.books.erasing) await this.resumables.ends.dropAll();
    await this.runner.replayDue();
    if (this.books.ledger.exists) await this.resumables.ends.sweep();
    if (this.books.ledger.exists) this.books.ledger.prune(Date.now());
    this.books.claims.prune(Date.now());
    await this.runner.scheduleAlarm();
    if (accountId === undefined || !this.overdue.hasNews) return;
    await this.#reportOverdue(accountId);
    const mustTellAgain = this.overdue.hasNews && this.books.ledger.exists;
    if (mustTellAgain && (await this.ctx.storage.getAlarm()) === null) {
      await this.ctx.storage.setAlarm(Date.now() + this.timeoutMs());
    }
  }

  async #reportOverdue(accountId: string): Promise<void> {
    const service = retryStub(() => this.env.SERVICE_METER.getByName(SERVICE_METER_NAME));
    await this.overdue.report(
      (id) => this.books.intents.find(id),
      (intents) => service.reportIntents(accountId, intents),
    );
  }

  /** @returns whether there is a tombstone: then nothing else is left to do here */
  async #forgetTombstone(): Promise<boolean> {
    const { erasedAt } = this.books.tombstone;
    if (erasedAt === undefined) return false;
    if (erasedAt + TOMBSTONE_MS > Date.now()) await this.ctx.storage.setAlarm(erasedAt + TOMBSTONE_MS);
    else await this.books.forget();
    return true;
  }
}
