import {
  type AlertChannel,
  type DeliveryOutcome,
  type DeliveryState,
  MAX_DELIVERY_ATTEMPTS,
  retryDelayMs,
} from "../domain/alerts.ts";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import type { Delivery, DueDelivery } from "./alert.ts";
import { type Columns, selectList } from "./columns.ts";

/** Deliveries that one alarm announces. */
const SENT_PER_ALARM = 20;
/** A message that has not been taken by then is sent again; the attempt is made once all the same. */
const QUEUED_MS = 30 * MINUTE_MS;
/** An attempt of which nothing was heard by then was cut short. */
const ATTEMPT_MS = 5 * MINUTE_MS;
/** A new webhook gets what the old one did not take, as long as it is news. */
const REVIVED_MS = 3 * DAY_MS;

type DeliveryRow = Record<string, SqlStorageValue> & Delivery & { readonly alertId: string };

const COLUMNS: Columns<Delivery & { readonly alertId: string }> = {
  ...{ alertId: "alert_id", channel: "channel", state: "state", attempts: "attempts", nextAt: "due_at" },
  ...{ lastAt: "last_at", lastStatus: "last_status", lastError: "last_error" },
};
const SELECT = `SELECT ${selectList(COLUMNS)} FROM alert_deliveries`;

/**
 * How far each alert has come on each of its ways. The attempts of a delivery have numbers: each is begun once, however often its
 * message comes. All calls are synchronous.
 */
export class AlertDeliveries {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
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

  /** @param dueAt null where it has to wait for a webhook */
  announce(alertId: string, channel: AlertChannel, dueAt: number | null): void {
    this.#sql.exec(
      "INSERT INTO alert_deliveries (alert_id, channel, state, attempts, due_at) VALUES (?, ?, 'pending', 0, ?)",
      ...[alertId, channel, dueAt],
    );
  }

  find(alertId: string, channel: AlertChannel): Delivery | undefined {
    const query = `${SELECT} WHERE alert_id = ? AND channel = ?`;
    return this.#sql.exec<DeliveryRow>(query, alertId, channel).toArray().map(toDelivery)[0];
  }

  /** Of every alert that is kept, by its id. */
  byAlert(): Map<string, Delivery[]> {
    const rows = this.#sql.exec<DeliveryRow>(SELECT).toArray();
    const found = new Map<string, Delivery[]>();
    for (const row of rows) found.set(row.alertId, [...(found.get(row.alertId) ?? []), toDelivery(row)]);
    return found;
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
    return this.#sql
      .exec<DeliveryRow>(`${SELECT} WHERE due_at <= ? ORDER BY due_at LIMIT ?`, now, SENT_PER_ALARM)
      .toArray()
      .map(({ alertId, channel, attempts }) => ({ alertId, channel, attempt: attempts + 1 }));
  }

  /** These are in the queue. They are sent again where nobody takes them out for long. */
  noteQueued(sent: readonly DueDelivery[], now: number): void {
    for (const { alertId, channel } of sent) this.putOff(alertId, channel, now + QUEUED_MS);
  }

  /** The queue did not take these. */
  noteUnsent(unsent: readonly DueDelivery[], now: number): void {
    for (const { alertId, channel } of unsent) this.putOff(alertId, channel, now + MINUTE_MS);
  }

  /** @param dueAt null where it has to wait for a webhook */
  putOff(alertId: string, channel: AlertChannel, dueAt: number | null): void {
    const query = "UPDATE alert_deliveries SET due_at = ? WHERE alert_id = ? AND channel = ? AND due_at IS NOT NULL";
    this.#sql.exec(query, dueAt, alertId, channel);
  }

  /** Nothing goes out any more. */
  cancel(): void {
    this.#sql.exec("UPDATE alert_deliveries SET due_at = NULL WHERE due_at IS NOT NULL");
  }

  /** Whether such an attempt may begin: it was not begun before, and is wanted. */
  awaits({ alertId, channel, attempt }: DueDelivery): boolean {
    const delivery = this.find(alertId, channel);
    return delivery?.state === "pending" && delivery.nextAt !== null && delivery.attempts < attempt;
  }

  begin({ alertId, channel, attempt }: DueDelivery, now: number): void {
    this.#sql.exec(
      "UPDATE alert_deliveries SET attempts = ?, due_at = ? WHERE alert_id = ? AND channel = ?",
      ...[attempt, now + ATTEMPT_MS, alertId, channel],
    );
  }

  /** Whether this is the attempt that was begun last, and nothing was heard of it yet. */
  isUnderWay({ alertId, channel, attempt }: DueDelivery): boolean {
    const delivery = this.find(alertId, channel);
    return delivery?.state === "pending" && delivery.attempts === attempt;
  }

  /** Notes what became of an attempt, and when the next is due. */
  end({ alertId, channel, attempt }: DueDelivery, { error, status }: DeliveryOutcome, now: number): void {
    const delayMs = retryDelayMs(attempt);
    const isLast = error !== "gone" && delayMs === undefined;
    const state: DeliveryState = error === null ? "delivered" : isLast ? "failed" : "pending";
    const dueAt = state !== "pending" || error === "gone" || delayMs === undefined ? null : now + delayMs;
    this.#sql.exec(
      "UPDATE alert_deliveries SET state = ?, due_at = ?, last_at = ?, last_status = ?, last_error = ? WHERE alert_id = ? AND channel = ?",
      ...[state, dueAt, now, status, error, alertId, channel],
    );
  }

  /** There is another webhook: it gets what the one before did not take in the last days. @returns whether there is anything */
  reviveWebhooks(now: number): boolean {
    const revived = this.#sql.exec(
      `UPDATE alert_deliveries SET state = 'pending', attempts = 0, due_at = ? WHERE channel = 'webhook' AND state <> 'delivered'
         AND alert_id IN (SELECT id FROM alerts WHERE at > ?)`,
      now,
      now - REVIVED_MS,
    );
    return revived.rowsWritten > 0;
  }

  /** There is no webhook: what is on its way to it waits for another one. */
  holdWebhooks(): void {
    this.#sql.exec("UPDATE alert_deliveries SET due_at = NULL WHERE channel = 'webhook' AND due_at IS NOT NULL");
  }

  /** Forgets those of alerts that are forgotten. */
  prune(): void {
    this.#sql.exec("DELETE FROM alert_deliveries WHERE alert_id NOT IN (SELECT id FROM alerts)");
  }
}

function toDelivery({ alertId: _, ...delivery }: DeliveryRow): Delivery {
  return delivery;
}
