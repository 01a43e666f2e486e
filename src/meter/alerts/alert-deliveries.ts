import {
  type AlertChannel,
  type DeliveryOutcome,
  type DeliveryState,
  MAX_DELIVERY_ATTEMPTS,
  retryDelayMs,
} from "../../domain/alerts.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/calendar.ts";
import { type Columns, selectList } from "../columns.ts";
import type { Alarm } from "../object-alarm.ts";
import type { AlertDelivery, AlertTry, DueDelivery } from "./alert.ts";

/** Deliveries that one alarm puts into the queue. */
const SENT_PER_ALARM = 20;
/** A message that no consumer has taken after this time is sent again. Its attempt is still made only once. */
const QUEUED_MS = 30 * MINUTE_MS;
/** An attempt without an outcome after this time was interrupted. */
const ATTEMPT_MS = 5 * MINUTE_MS;
/** A new webhook gets the undelivered alerts of this period. */
const REVIVED_MS = 3 * DAY_MS;

type DeliveryRow = Record<string, SqlStorageValue> & AlertDelivery & { readonly alertId: string };

interface Recorded {
  readonly at: number;
  readonly state: DeliveryState;
  readonly nextAt: number | null;
}

const COLUMNS: Columns<AlertDelivery & { readonly alertId: string }> = {
  alertId: "alert_id",
  channel: "channel",
  state: "state",
  attempts: "attempts",
  nextAt: "due_at",
  lastAt: "last_at",
  lastStatus: "last_status",
  lastError: "last_error",
};
const SELECT = `SELECT ${selectList(COLUMNS)} FROM alert_deliveries`;

/**
 * The deliveries of alerts, one for each alert and channel. The attempts of a delivery are numbered: each is begun once, even if its
 * message arrives several times. All calls are synchronous.
 */
export class AlertDeliveries {
  readonly #sql: SqlStorage;
  readonly #alarm: Alarm;

  constructor(sql: SqlStorage, alarm: Alarm) {
    this.#sql = sql;
    this.#alarm = alarm;
    sql.exec(`
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
  }

  /** @param dueAt null if it has to wait for a webhook */
  announce(alertId: string, channel: AlertChannel, dueAt: number | null): void {
    this.#sql.exec(
      "INSERT INTO alert_deliveries (alert_id, channel, state, attempts, due_at) VALUES (?, ?, 'pending', 0, ?)",
      alertId,
      channel,
      dueAt,
    );
    this.#bringAlarmForward(channel, dueAt);
  }

  find(alertId: string, channel: AlertChannel): AlertDelivery | undefined {
    const query = `${SELECT} WHERE alert_id = ? AND channel = ?`;
    return this.#sql.exec<DeliveryRow>(query, alertId, channel).toArray().map(toDelivery)[0];
  }

  /** The deliveries of all kept alerts, by alert id. */
  byAlert(): Map<string, AlertDelivery[]> {
    const rows = this.#sql.exec<DeliveryRow>(SELECT).toArray();
    const found = new Map<string, AlertDelivery[]>();
    for (const row of rows) found.set(row.alertId, [...(found.get(row.alertId) ?? []), toDelivery(row)]);
    return found;
  }

  /** The next due time of a mail; null if none is pending. */
  nextDueAt(): number | null {
    const query = "SELECT min(due_at) AS at FROM alert_deliveries WHERE due_at IS NOT NULL AND channel = 'email'";
    return this.#sql.exec<{ at: number | null }>(query).one().at;
  }

  /** Returns the due mails. A delivery whose last attempt was interrupted fails instead. */
  listDue(now: number): DueDelivery[] {
    this.#sql.exec(
      "UPDATE alert_deliveries SET state = 'failed', due_at = NULL WHERE channel = 'email' AND due_at <= ? AND attempts >= ?",
      now,
      MAX_DELIVERY_ATTEMPTS,
    );
    return this.#sql
      .exec<DeliveryRow>(
        `${SELECT} WHERE channel = 'email' AND due_at <= ? ORDER BY due_at LIMIT ?`,
        now,
        SENT_PER_ALARM,
      )
      .toArray()
      .map(({ alertId, channel, attempts }) => ({ alertId, channel, attempt: attempts + 1 }));
  }

  /** The queue has accepted these deliveries. They are sent again if no consumer takes them in time. */
  noteQueued(sent: readonly DueDelivery[], now: number): void {
    for (const { alertId, channel } of sent) this.putOff(alertId, channel, now + QUEUED_MS);
  }

  /** The queue has refused these deliveries. */
  noteUnsent(unsent: readonly DueDelivery[], now: number): void {
    for (const { alertId, channel } of unsent) this.putOff(alertId, channel, now + MINUTE_MS);
  }

  /** @param dueAt null if it has to wait for a webhook */
  putOff(alertId: string, channel: AlertChannel, dueAt: number | null): void {
    const query = "UPDATE alert_deliveries SET due_at = ? WHERE alert_id = ? AND channel = ? AND due_at IS NOT NULL";
    this.#sql.exec(query, dueAt, alertId, channel);
    this.#bringAlarmForward(channel, dueAt);
  }

  /** Cancels every pending delivery. */
  cancel(): void {
    this.#sql.exec("UPDATE alert_deliveries SET due_at = NULL WHERE due_at IS NOT NULL");
  }

  /** Whether this attempt may begin: it was not begun before, and its delivery is pending. */
  awaits({ alertId, channel, attempt }: DueDelivery): boolean {
    const delivery = this.find(alertId, channel);
    return delivery?.state === "pending" && delivery.nextAt !== null && delivery.attempts < attempt;
  }

  begin({ alertId, channel, attempt }: DueDelivery, now: number): void {
    const dueAt = now + ATTEMPT_MS;
    this.#sql.exec(
      "UPDATE alert_deliveries SET attempts = ?, due_at = ? WHERE alert_id = ? AND channel = ?",
      attempt,
      dueAt,
      alertId,
      channel,
    );
    this.#bringAlarmForward(channel, dueAt);
  }

  /** Whether this is the last attempt that was begun, and its outcome is still unknown. */
  isUnderWay({ alertId, channel, attempt }: DueDelivery): boolean {
    const delivery = this.find(alertId, channel);
    return delivery?.state === "pending" && delivery.attempts === attempt;
  }

  /** Records an attempt's outcome and the time of the next attempt. */
  end({ alertId, channel, attempt }: DueDelivery, outcome: DeliveryOutcome, now: number): void {
    const delayMs = retryDelayMs(attempt);
    const state: DeliveryState = outcome.error === null ? "delivered" : delayMs === undefined ? "failed" : "pending";
    this.#record(alertId, channel, {
      ...outcome,
      at: now,
      state,
      nextAt: delayMs === undefined ? null : now + delayMs,
    });
  }

  /** Records a try of a webhook, which sends alerts as events. An alert that was delivered stays so. */
  noteWebhook({ alertId, at, error, status, nextAt, isGivenUp }: AlertTry): void {
    const state: DeliveryState = error === null ? "delivered" : isGivenUp ? "failed" : "pending";
    const delivery = this.find(alertId, "webhook");
    if (delivery === undefined || delivery.state === "delivered") return;
    this.#sql.exec(
      "UPDATE alert_deliveries SET attempts = attempts + 1 WHERE alert_id = ? AND channel = 'webhook'",
      alertId,
    );
    this.#record(alertId, "webhook", { error, status, at, state, nextAt });
  }

  /** The alerts of the last days whose delivery to the webhook has one of these states, oldest first. */
  listUndelivered(now: number, states: readonly DeliveryState[]): string[] {
    return this.#sql
      .exec<{ id: string }>(
        `SELECT alert_id AS id FROM alert_deliveries WHERE channel = 'webhook'
           AND state IN (SELECT value FROM json_each(?)) AND alert_id IN (SELECT id FROM alerts WHERE at > ?) ORDER BY alert_id`,
        JSON.stringify(states),
        now - REVIVED_MS,
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** An undelivered alert is sent again. */
  renewWebhook(alertId: string, now: number): void {
    this.#sql.exec(
      "UPDATE alert_deliveries SET state = 'pending', attempts = 0, due_at = ? WHERE alert_id = ? AND channel = 'webhook'",
      now,
      alertId,
    );
  }

  /** The webhook was removed: its pending deliveries wait for another webhook. */
  holdWebhooks(): void {
    this.#sql.exec("UPDATE alert_deliveries SET due_at = NULL WHERE channel = 'webhook' AND due_at IS NOT NULL");
  }

  /** Removes the deliveries of removed alerts. */
  prune(): void {
    this.#sql.exec("DELETE FROM alert_deliveries WHERE alert_id NOT IN (SELECT id FROM alerts)");
  }

  #record(
    alertId: string,
    channel: AlertChannel,
    { error, status, at, state, nextAt }: DeliveryOutcome & Recorded,
  ): void {
    const dueAt = state === "pending" ? nextAt : null;
    this.#sql.exec(
      "UPDATE alert_deliveries SET state = ?, due_at = ?, last_at = ?, last_status = ?, last_error = ? WHERE alert_id = ? AND channel = ?",
      state,
      dueAt,
      at,
      status,
      error,
      alertId,
      channel,
    );
    this.#bringAlarmForward(channel, dueAt);
  }

  /** Webhooks get alerts as events. */
  #bringAlarmForward(channel: AlertChannel, dueAt: number | null): void {
    if (channel === "email" && dueAt !== null) this.#alarm.bringForward(dueAt);
  }
}

function toDelivery({ alertId: _, ...delivery }: DeliveryRow): AlertDelivery {
  return delivery;
}
