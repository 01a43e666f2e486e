import {
  type AlertChannel,
  type DeliveryError,
  type DeliveryOutcome,
  type DeliveryState,
  MAX_DELIVERY_ATTEMPTS,
  reachedThreshold,
  retryDelayMs,
} from "../domain/alerts.ts";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import { newId } from "../domain/ids.ts";
import { TIERS, type TierName } from "../domain/tiers.ts";
import { type StoredWebhook, WebhookStore } from "./webhook-store.ts";

/** How long alerts are listed: a year, and the month before. */
const KEPT_DAYS = 396;
const MAX_LISTED = 100;
/** Deliveries that one alarm announces. */
const SENT_PER_ALARM = 20;
/** A message that has not been taken by then is sent again; the attempt is made once all the same. */
const QUEUED_MS = 30 * MINUTE_MS;
/** An attempt of which nothing was heard by then was cut short. */
const ATTEMPT_MS = 5 * MINUTE_MS;
/** A new webhook gets what the old one did not take, as long as it is news. */
const REVIVED_MS = 3 * DAY_MS;

export interface Alert {
  readonly id: string;
  /** Percent of the limit. */
  readonly threshold: number;
  readonly usedTenths: number;
  readonly operationsLimit: number;
  /** When the month ends that it is of. */
  readonly monthEndsAt: number;
  readonly at: number;
}

export interface Delivery {
  readonly channel: AlertChannel;
  readonly state: DeliveryState;
  /** Those begun. */
  readonly attempts: number;
  /** Null where none is to come. */
  readonly nextAt: number | null;
  readonly lastAt: number | null;
  readonly lastStatus: number | null;
  readonly lastError: DeliveryError | null;
}

export interface ListedAlert extends Alert {
  readonly deliveries: readonly Delivery[];
}

/** A delivery whose time has come. */
export interface DueDelivery {
  readonly alertId: string;
  readonly channel: AlertChannel;
  /** From 1. */
  readonly attempt: number;
}

/** What an attempt is made with. */
export interface BegunDelivery {
  readonly alert: Alert;
  /** For the channel of that name. */
  readonly webhook: StoredWebhook | undefined;
}

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

interface AlertRow extends Record<string, SqlStorageValue> {
  id: string;
  threshold: number;
  used_tenths: number;
  operations_limit: number;
  month_ends_at: number;
  at: number;
}

interface DeliveryRow extends Record<string, SqlStorageValue> {
  alert_id: string;
  channel: AlertChannel;
  state: DeliveryState;
  attempts: number;
  due_at: number | null;
  last_at: number | null;
  last_status: number | null;
  last_error: DeliveryError | null;
}

const ALERT_COLUMNS = "id, threshold, used_tenths, operations_limit, month_ends_at, at";
const DELIVERY_COLUMNS = "alert_id, channel, state, attempts, due_at, last_at, last_status, last_error";

/**
 * The account's usage alerts, and how far each has come on its ways (specification, Events). An alert is raised in the transaction that
 * counts the operation, so that none is lost and none raised twice. The attempts of a delivery have numbers: each is begun once,
 * however often its message comes. All calls are synchronous.
 */
export class AlertStore {
  readonly webhook: WebhookStore;
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
      CREATE TABLE IF NOT EXISTS alert_deliveries (
        alert_id TEXT NOT NULL,
        channel TEXT NOT NULL,
        state TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        due_at INTEGER,
        last_at INTEGER,
        last_status INTEGER,
        last_error TEXT,
        PRIMARY KEY (alert_id, channel)
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS alert_deliveries_due ON alert_deliveries (due_at) WHERE due_at IS NOT NULL;
    `);
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
      `INSERT INTO alerts (${ALERT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`,
      ...[id, threshold, usedTenths, TIERS[tier].operationsPerMonth, monthEndsAt, now],
    );
    const webhook = this.webhook.find();
    if (webhook !== undefined) this.#announce(id, "webhook", webhook.disabledAt === null ? now : null);
    if (this.#options.sendsEmail()) this.#announce(id, "email", now);
    this.#prune(now);
    this.#options.wake();
  }

  /** Newest first. */
  list(): ListedAlert[] {
    const deliveries = this.#sql.exec<DeliveryRow>(`SELECT ${DELIVERY_COLUMNS} FROM alert_deliveries`).toArray();
    return this.#sql
      .exec<AlertRow>(`SELECT ${ALERT_COLUMNS} FROM alerts ORDER BY id DESC LIMIT ?`, MAX_LISTED)
      .toArray()
      .map((row) => ({
        ...toAlert(row),
        deliveries: deliveries.filter(({ alert_id }) => alert_id === row.id).map(toDelivery),
      }));
  }

  findDelivery(alertId: string, channel: AlertChannel): Delivery | undefined {
    const row = this.#findRow(alertId, channel);
    return row && toDelivery(row);
  }

  /** When there is next a delivery to announce; null where none is on its way. */
  nextDueAt(): number | null {
    const query = "SELECT min(due_at) AS at FROM alert_deliveries WHERE due_at IS NOT NULL";
    return this.#sql.exec<{ at: number | null }>(query).one().at;
  }

  /** The deliveries to announce now. One whose last attempt was cut short is given up instead. */
  listDue(now: number): DueDelivery[] {
    this.#sql.exec(
      "UPDATE alert_deliveries SET state = 'failed', due_at = NULL WHERE due_at <= ? AND attempts >= ?",
      now,
      MAX_DELIVERY_ATTEMPTS,
    );
    const query = `SELECT ${DELIVERY_COLUMNS} FROM alert_deliveries WHERE due_at <= ? ORDER BY due_at LIMIT ?`;
    return this.#sql
      .exec<DeliveryRow>(query, now, SENT_PER_ALARM)
      .toArray()
      .map(({ alert_id, channel, attempts }) => ({ alertId: alert_id, channel, attempt: attempts + 1 }));
  }

  /** These are in the queue. They are sent again where nobody takes them out for long. */
  noteQueued(sent: readonly DueDelivery[], now: number): void {
    for (const { alertId, channel } of sent) this.#putOff(alertId, channel, now + QUEUED_MS);
  }

  /** The queue did not take these. */
  noteUnsent(unsent: readonly DueDelivery[], now: number): void {
    for (const { alertId, channel } of unsent) this.#putOff(alertId, channel, now + MINUTE_MS);
  }

  /** Nothing goes out any more. */
  cancel(): void {
    this.#sql.exec("UPDATE alert_deliveries SET due_at = NULL WHERE due_at IS NOT NULL");
  }

  /** Begins an attempt. Undefined where it was begun before, or nothing is to be delivered any more. */
  begin({ alertId, channel, attempt }: DueDelivery, now: number): BegunDelivery | undefined {
    const row = this.#findRow(alertId, channel);
    const alert = this.#sql.exec<AlertRow>(`SELECT ${ALERT_COLUMNS} FROM alerts WHERE id = ?`, alertId).toArray()[0];
    if (row?.state !== "pending" || row.due_at === null || row.attempts >= attempt || alert === undefined)
      return undefined;
    const webhook = channel === "webhook" ? this.webhook.find() : undefined;
    if (channel === "webhook" && (webhook === undefined || webhook.disabledAt !== null)) {
      this.#putOff(alertId, channel, null);
      return undefined;
    }
    this.#sql.exec(
      "UPDATE alert_deliveries SET attempts = ?, due_at = ? WHERE alert_id = ? AND channel = ?",
      ...[attempt, now + ATTEMPT_MS, alertId, channel],
    );
    return { alert: toAlert(alert), webhook };
  }

  /**
   * Notes what became of an attempt, and when the next is due. One that was made to a webhook which is another one now says nothing.
   * @param webhookId for the channel of that name
   */
  end(
    { alertId, channel, attempt }: DueDelivery,
    { error, status }: DeliveryOutcome,
    webhookId: string | undefined,
    now: number,
  ): void {
    const row = this.#findRow(alertId, channel);
    if (row?.state !== "pending" || row.attempts !== attempt) return;
    if (channel === "webhook") {
      if (this.webhook.find()?.id !== webhookId) return;
      this.webhook.noteDelivery({ alertId, at: now, status, error });
    }
    const delayMs = retryDelayMs(attempt);
    const state = error === null ? "delivered" : error !== "gone" && delayMs === undefined ? "failed" : "pending";
    const dueAt = state !== "pending" || error === "gone" || delayMs === undefined ? null : now + delayMs;
    this.#sql.exec(
      "UPDATE alert_deliveries SET state = ?, due_at = ?, last_at = ?, last_status = ?, last_error = ? WHERE alert_id = ? AND channel = ?",
      ...[state, dueAt, now, status, error, alertId, channel],
    );
    if (error === "gone") this.#disableWebhook(now);
  }

  /** From here on alerts go to this webhook, those too that the one before did not take in the last days. */
  putWebhook(webhook: Pick<StoredWebhook, "id" | "url">, now: number): void {
    // The same call, made again.
    if (this.webhook.find()?.id === webhook.id) return;
    this.webhook.put(webhook, now);
    const revived = this.#sql.exec(
      `UPDATE alert_deliveries SET state = 'pending', attempts = 0, due_at = ? WHERE channel = 'webhook' AND state <> 'delivered'
         AND alert_id IN (SELECT id FROM alerts WHERE at > ?)`,
      now,
      now - REVIVED_MS,
    );
    if (revived.rowsWritten > 0) this.#options.wake();
  }

  /** @returns whether there was one. What is on its way to it waits for another one. */
  deleteWebhook(): boolean {
    this.#holdWebhooks();
    return this.webhook.delete();
  }

  #disableWebhook(now: number): void {
    this.webhook.disable(now);
    this.#holdWebhooks();
  }

  #holdWebhooks(): void {
    this.#sql.exec("UPDATE alert_deliveries SET due_at = NULL WHERE channel = 'webhook' AND due_at IS NOT NULL");
  }

  #announce(alertId: string, channel: AlertChannel, dueAt: number | null): void {
    this.#sql.exec(
      "INSERT INTO alert_deliveries (alert_id, channel, state, attempts, due_at) VALUES (?, ?, 'pending', 0, ?)",
      ...[alertId, channel, dueAt],
    );
  }

  #putOff(alertId: string, channel: AlertChannel, dueAt: number | null): void {
    const query = "UPDATE alert_deliveries SET due_at = ? WHERE alert_id = ? AND channel = ? AND due_at IS NOT NULL";
    this.#sql.exec(query, dueAt, alertId, channel);
  }

  #setMark(mark: Mark): void {
    const query = "INSERT OR REPLACE INTO alert_mark (one, month_starts_at, threshold) VALUES (1, ?, ?)";
    this.#sql.exec(query, mark.monthStartsAt, mark.threshold);
    this.#mark = mark;
  }

  #findRow(alertId: string, channel: AlertChannel): DeliveryRow | undefined {
    const query = `SELECT ${DELIVERY_COLUMNS} FROM alert_deliveries WHERE alert_id = ? AND channel = ?`;
    return this.#sql.exec<DeliveryRow>(query, alertId, channel).toArray()[0];
  }

  #prune(now: number): void {
    this.#sql.exec("DELETE FROM alerts WHERE at < ?", now - KEPT_DAYS * DAY_MS);
    this.#sql.exec("DELETE FROM alert_deliveries WHERE alert_id NOT IN (SELECT id FROM alerts)");
  }
}

function toAlert(row: AlertRow): Alert {
  return {
    id: row.id,
    threshold: row.threshold,
    usedTenths: row.used_tenths,
    operationsLimit: row.operations_limit,
    monthEndsAt: row.month_ends_at,
    at: row.at,
  };
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    channel: row.channel,
    state: row.state,
    attempts: row.attempts,
    nextAt: row.due_at,
    lastAt: row.last_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
  };
}
