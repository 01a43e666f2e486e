import { ALERT_THRESHOLDS, type DeliveryOutcome } from "../../domain/alerts.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import { newId } from "../../domain/ids.ts";
import { TIERS, type TierName } from "../../domain/tiers.ts";
import { type Columns, selectList } from "../books/columns.ts";
import type { Alert, BegunDelivery, DueDelivery, ListedAlert, StoredWebhook } from "./alert.ts";
import { AlertDeliveries } from "./alert-deliveries.ts";
import { WebhookStore } from "./webhook-store.ts";

/** The time for which alerts are listed: a year, and the month before. */
const KEPT_DAYS = 396;
const MAX_LISTED = 100;

export interface AlertStoreOptions {
  /** Whether alerts are also sent by e-mail. */
  sendsEmail(): boolean;
  /** Sets the object's alarm to now, in the transaction that raises an alert. */
  wake(): void;
}

/** The part of a month's count on which thresholds depend. */
export interface MonthUse {
  readonly tier: TierName;
  readonly usedTenths: number;
  /** Identifies the month. */
  readonly monthStartsAt: number;
  readonly monthEndsAt: number;
}

interface Mark {
  readonly monthStartsAt: number;
  readonly threshold: number;
}

const COLUMNS: Columns<Alert> = {
  id: "id",
  threshold: "threshold",
  usedTenths: "used_tenths",
  operationsLimit: "operations_limit",
  monthEndsAt: "month_ends_at",
  at: "at",
};
const SELECT = `SELECT ${selectList(COLUMNS)} FROM alerts`;

type AlertRow = Record<string, SqlStorageValue> & Alert;

/**
 * The account's usage alerts. An alert is raised in the transaction that counts the operation, so that none is lost and none is raised
 * twice. All calls are synchronous.
 */
export class AlertStore {
  readonly webhook: WebhookStore;
  readonly deliveries: AlertDeliveries;
  readonly #sql: SqlStorage;
  readonly #options: AlertStoreOptions;
  /** The highest threshold of a month that has been alerted or passed. */
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
   * Raises an alert for the highest threshold that the month's use has newly reached. Called with each change of the count, the month or
   * the tier; writes nothing if no threshold is reached.
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

  /** Begins an attempt. @returns undefined if it was begun before, or nothing is left to deliver */
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
   * Records an attempt's outcome and the next due time. The outcome of an attempt to an earlier webhook is ignored.
   * @param webhookId for the channel `webhook`
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

  /** Sends alerts to this webhook from now on, and the undelivered alerts of the last days. */
  putWebhook(webhook: Pick<StoredWebhook, "id" | "url">, now: number): void {
    // A repeated call.
    if (this.webhook.find()?.id === webhook.id) return;
    this.webhook.put(webhook, now);
    if (this.deliveries.reviveWebhooks(now)) this.#options.wake();
  }

  /** Pending deliveries wait for another webhook. @returns whether there was a webhook */
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

/** The highest threshold that is reached; 0 if none is, or the tier has no alerts. */
function reachedThreshold(tier: TierName, usedTenths: number): number {
  const { keyKind, operationsPerMonth } = TIERS[tier];
  if (keyKind !== "api") return 0;
  // Both sides are whole numbers: tenths * 10 and limit * percent.
  return ALERT_THRESHOLDS.findLast((threshold) => usedTenths * 10 >= operationsPerMonth * threshold) ?? 0;
}
