import { ALERT_THRESHOLDS, type DeliveryOutcome, type DeliveryState } from "../../domain/alerts.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import { DEFAULT_WEBHOOK } from "../../domain/events.ts";
import { newId } from "../../domain/ids.ts";
import { TIERS, type TierName } from "../../domain/tiers.ts";
import { type Columns, selectList } from "../columns.ts";
import type { Alarm } from "../object-alarm.ts";
import type { Alert, DueDelivery, ListedAlert } from "./alert.ts";
import { AlertDeliveries } from "./alert-deliveries.ts";

/** The time for which alerts are listed: a year, and the month before. */
const KEPT_DAYS = 396;
const MAX_LISTED = 100;

export interface AlertStoreOptions {
  /** Whether alerts are also sent by e-mail. */
  sendsEmail(): boolean;
  readonly alarm: Alarm;
  /** Records the alert as an event. */
  raise(alert: Alert, now: number): void;
  /** The webhook whose deliveries are listed with the alerts, if it wants alerts. */
  findWebhook(): { readonly disabledAt: number | null } | undefined;
}

const UNCONNECTED: AlertStoreOptions = {
  sendsEmail: () => false,
  alarm: { bringForward: () => {} },
  raise: () => {},
  findWebhook: () => undefined,
};

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
  readonly deliveries: AlertDeliveries;
  readonly #sql: SqlStorage;
  readonly #options: AlertStoreOptions;
  /** The highest threshold of a month that has been alerted or passed. */
  #mark: Mark;

  constructor(sql: SqlStorage, options = UNCONNECTED) {
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
    this.deliveries = new AlertDeliveries(sql, options.alarm);
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
      id,
      threshold,
      usedTenths,
      TIERS[tier].operationsPerMonth,
      monthEndsAt,
      now,
    );
    const webhook = this.#options.findWebhook();
    if (webhook !== undefined) this.deliveries.announce(id, "webhook", webhook.disabledAt === null ? now : null);
    const { operationsPerMonth: operationsLimit } = TIERS[tier];
    this.#options.raise({ id, threshold, usedTenths, operationsLimit, monthEndsAt, at: now }, now);
    if (this.#options.sendsEmail()) this.deliveries.announce(id, "email", now);
    this.#sql.exec("DELETE FROM alerts WHERE at < ?", now - KEPT_DAYS * DAY_MS);
    this.deliveries.prune();
    this.#options.alarm.bringForward(now);
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
  begin(delivery: DueDelivery, now: number): Alert | undefined {
    const alert = this.#find(delivery.alertId);
    // Messages of earlier versions may name the webhook, which gets alerts as events.
    if (alert === undefined || delivery.channel !== "email" || !this.deliveries.awaits(delivery)) return undefined;
    this.deliveries.begin(delivery, now);
    return alert;
  }

  /** Records an attempt's outcome and the next due time. */
  end(delivery: DueDelivery, outcome: DeliveryOutcome, now: number): void {
    if (delivery.channel === "email" && this.deliveries.isUnderWay(delivery))
      this.deliveries.end(delivery, outcome, now);
  }

  /** A new webhook gets the undelivered alerts of the last days. */
  sendAgain(webhook: string, now: number, states: readonly DeliveryState[] = ["pending", "failed"]): void {
    if (webhook !== DEFAULT_WEBHOOK || this.#options.findWebhook() === undefined) return;
    for (const alertId of this.deliveries.listUndelivered(now, states)) {
      const alert = this.#find(alertId);
      if (alert === undefined) continue;
      this.deliveries.renewWebhook(alertId, now);
      this.#options.raise(alert, now);
    }
  }

  /** The webhook was removed: its undelivered alerts wait for another of its name. */
  holdWebhook(webhook: string): void {
    if (webhook === DEFAULT_WEBHOOK) this.deliveries.holdWebhooks();
  }

  #find(alertId: string): Alert | undefined {
    return this.#sql.exec<AlertRow>(`${SELECT} WHERE id = ?`, alertId).toArray()[0];
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
