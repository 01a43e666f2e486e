import { type DeliveryOutcome, reachedThreshold } from "../domain/alerts.ts";
import { DAY_MS } from "../domain/calendar.ts";
import { newId } from "../domain/ids.ts";
import { TIERS, type TierName } from "../domain/tiers.ts";
import type { Alert, BegunDelivery, DueDelivery, ListedAlert } from "./alert.ts";
import { AlertDeliveries } from "./alert-deliveries.ts";
import { type Columns, selectList } from "./columns.ts";
import { type StoredWebhook, WebhookStore } from "./webhook-store.ts";

/** How long alerts are listed: a year, and the month before. */
const KEPT_DAYS = 396;
const MAX_LISTED = 100;

export interface AlertStoreOptions {
  /** Whether alerts go out by e-mail, too. */
  sendsEmail(): boolean;
  /** Has the object's alarm ring at once; called in the transaction that has raised an alert. */
  wake(): void;
}

/** What of a month its thresholds are reached by. */
export interface MonthUse {
  readonly tier: TierName;
  readonly usedTenths: number;
  /** Says which month it is. */
  readonly monthStartsAt: number;
  readonly monthEndsAt: number;
}

interface Mark {
  readonly monthStartsAt: number;
  readonly threshold: number;
}

const COLUMNS: Columns<Alert> = {
  ...{ id: "id", threshold: "threshold", usedTenths: "used_tenths", operationsLimit: "operations_limit" },
  ...{ monthEndsAt: "month_ends_at", at: "at" },
};
const SELECT = `SELECT ${selectList(COLUMNS)} FROM alerts`;

type AlertRow = Record<string, SqlStorageValue> & Alert;

/**
 * The account's usage alerts (specification, Events). An alert is raised in the transaction that counts the operation, so that none is
 * lost and none raised twice. All calls are synchronous.
 */
export class AlertStore {
  readonly webhook: WebhookStore;
  readonly deliveries: AlertDeliveries;
  readonly #sql: SqlStorage;
  readonly #options: AlertStoreOptions;
  /** The highest threshold of a month that was alerted; those below it were, too, or were passed over. */
  #mark: Mark;

  constructor(sql: SqlStorage, options: AlertStoreOptions = { sendsEmail: () => false, wake: () => {} }) {
    this.#sql = sql;
    this.#options = options;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS alert_mark (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        month_starts_at INTEGER NOT NULL,
        threshold INTEGER NOT NULL
      );
      CREATE TABLE IF NOT EXISTS alerts (
        id TEXT PRIMARY KEY,
        threshold INTEGER NOT NULL,
        used_tenths INTEGER NOT NULL,
        operations_limit INTEGER NOT NULL,
        month_ends_at INTEGER NOT NULL,
        at INTEGER NOT NULL
      ) WITHOUT ROWID;
    `);
    this.deliveries = new AlertDeliveries(sql);
    this.webhook = new WebhookStore(sql);
    const [mark] = sql
      .exec<{ at: number; threshold: number }>("SELECT month_starts_at AS at, threshold FROM alert_mark")
      .toArray();
    this.#mark = { monthStartsAt: mark?.at ?? 0, threshold: mark?.threshold ?? 0 };
  }

  /**
   * Looks whether what was used has reached a threshold that this month has not seen, and raises the alert of the highest one. Nothing is
   * written where it has not: it is called with each change of the count, the month or the tier.
   */
  notice({ tier, usedTenths, monthStartsAt, monthEndsAt }: MonthUse, now = Date.now()): void {
    const threshold = reachedThreshold(tier, usedTenths);
    const seen = this.#mark.monthStartsAt === monthStartsAt ? this.#mark.threshold : 0;
    if (threshold <= seen) return;
    this.#setMark({ monthStartsAt, threshold });
    const id = newId(now);
    this.#sql.exec(
      "INSERT INTO alerts (id, threshold, used_tenths, operations_limit, month_ends_at, at) VALUES (?, ?, ?, ?, ?, ?)",
      ...[id, threshold, usedTenths, TIERS[tier].operationsPerMonth, monthEndsAt, now],
    );
    const webhook = this.webhook.find();
    if (webhook !== undefined) this.deliveries.announce(id, "webhook", webhook.disabledAt === null ? now : null);
    if (this.#options.sendsEmail()) this.deliveries.announce(id, "email", now);
    this.#sql.exec("DELETE FROM alerts WHERE at < ?", now - KEPT_DAYS * DAY_MS);
    this.deliveries.prune();
    this.#options.wake();
  }

  /** Newest first. */
  list(): ListedAlert[] {
    const deliveries = this.deliveries.byAlert();
    return this.#sql
      .exec<AlertRow>(`${SELECT} ORDER BY id DESC LIMIT ?`, MAX_LISTED)
      .toArray()
      .map((alert) => ({ ...alert, deliveries: deliveries.get(alert.id) ?? [] }));
  }

  /** Begins an attempt. Undefined where it was begun before, or nothing is to be delivered any more. */
  begin(delivery: DueDelivery, now: number): BegunDelivery | undefined {
    const { alertId, channel } = delivery;
    const [alert] = this.#sql.exec<AlertRow>(`${SELECT} WHERE id = ?`, alertId).toArray();
    if (alert === undefined || !this.deliveries.awaits(delivery)) return undefined;
    const webhook = channel === "webhook" ? this.webhook.find() : undefined;
    if (channel === "webhook" && (webhook === undefined || webhook.disabledAt !== null)) {
      this.deliveries.putOff(alertId, channel, null);
      return undefined;
    }
    this.deliveries.begin(delivery, now);
    return { alert, webhook };
  }

  /**
   * Notes what became of an attempt, and when the next is due. One that was made to a webhook which is another one now says nothing.
   * @param webhookId for the channel of that name
   */
  end(delivery: DueDelivery, outcome: DeliveryOutcome, webhookId: string | undefined, now: number): void {
    const { alertId, channel } = delivery;
    if (!this.deliveries.isUnderWay(delivery)) return;
    if (channel === "webhook") {
      if (this.webhook.find()?.id !== webhookId) return;
      this.webhook.noteDelivery({ alertId, at: now, ...outcome });
    }
    this.deliveries.end(delivery, outcome, now);
    if (outcome.error === "gone") {
      this.webhook.disable(now);
      this.deliveries.holdWebhooks();
    }
  }

  /** From here on alerts go to this webhook, those too that the one before did not take in the last days. */
  putWebhook(webhook: Pick<StoredWebhook, "id" | "url">, now: number): void {
    // The same call, made again.
    if (this.webhook.find()?.id === webhook.id) return;
    this.webhook.put(webhook, now);
    if (this.deliveries.reviveWebhooks(now)) this.#options.wake();
  }

  /** @returns whether there was one. What is on its way to it waits for another one. */
  deleteWebhook(): boolean {
    this.deliveries.holdWebhooks();
    return this.webhook.delete();
  }

  #setMark(mark: Mark): void {
    const query = "INSERT OR REPLACE INTO alert_mark (one, month_starts_at, threshold) VALUES (1, ?, ?)";
    this.#sql.exec(query, mark.monthStartsAt, mark.threshold);
    this.#mark = mark;
  }
}
