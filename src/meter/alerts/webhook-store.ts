import type { DeliveryError } from "../../domain/alerts.ts";
import type { LastDelivery, StoredWebhook } from "./alert.ts";

interface WebhookRow extends Record<string, SqlStorageValue> {
  id: string;
  url: string;
  created_at: number;
  disabled_at: number | null;
  last_alert_id: string | null;
  last_at: number | null;
  last_status: number | null;
  last_error: DeliveryError | null;
}

/** An account's webhook. All calls are synchronous. */
export class WebhookStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS webhook (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        id TEXT NOT NULL,
        url TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        disabled_at INTEGER,
        last_alert_id TEXT,
        last_at INTEGER,
        last_status INTEGER,
        last_error TEXT
      );
    `);
  }

  find(): StoredWebhook | undefined {
    const [row] = this.#sql.exec<WebhookRow>("SELECT * FROM webhook").toArray();
    if (row === undefined) return undefined;
    const { id, url, created_at: createdAt, disabled_at: disabledAt, last_alert_id: alertId, last_at: at } = row;
    const last =
      alertId === null || at === null ? null : { alertId, at, status: row.last_status, error: row.last_error };
    return { id, url, createdAt, disabledAt, last };
  }

  put({ id, url }: Pick<StoredWebhook, "id" | "url">, now: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO webhook (one, id, url, created_at) VALUES (1, ?, ?, ?)", id, url, now);
  }

  noteDelivery({ alertId, at, status, error }: LastDelivery): void {
    const query = "UPDATE webhook SET last_alert_id = ?, last_at = ?, last_status = ?, last_error = ?";
    this.#sql.exec(query, alertId, at, status, error);
  }

  disable(now: number): void {
    this.#sql.exec("UPDATE webhook SET disabled_at = ?", now);
  }

  /** @returns whether there was one */
  delete(): boolean {
    return this.#sql.exec("DELETE FROM webhook").rowsWritten > 0;
  }
}
