import { LISTED_DELIVERIES } from "../../domain/events.ts";
import type { ListedDelivery } from "./event.ts";

/** Deliveries after which another row is used. */
const ROW_DELIVERIES = 20;
/** Rows of a webhook. The newest one may have just begun, and the others have at least the listed deliveries. */
const ROWS = LISTED_DELIVERIES / ROW_DELIVERIES + 1;

interface LogRow extends Record<string, SqlStorageValue> {
  number: number;
  count: number;
  lines: string;
}

/**
 * The last deliveries of each webhook. The rows of a webhook are used in turn, so a run writes one row and removes none. All calls are
 * synchronous.
 */
export class DeliveryLog {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS webhook_deliveries (
        webhook TEXT NOT NULL,
        slot INTEGER NOT NULL,
        number INTEGER NOT NULL,
        count INTEGER NOT NULL,
        lines TEXT NOT NULL,
        PRIMARY KEY (webhook, slot)
      ) WITHOUT ROWID;
    `);
  }

  add(webhook: string, deliveries: readonly ListedDelivery[]): void {
    if (deliveries.length === 0) return;
    const lines = deliveries.map((delivery) => JSON.stringify(delivery)).join("\n");
    const [newest] = this.#rows(webhook);
    const isRoomy = newest !== undefined && newest.count < ROW_DELIVERIES;
    const number = newest === undefined ? 0 : newest.number + (isRoomy ? 0 : 1);
    this.#sql.exec(
      `INSERT INTO webhook_deliveries (webhook, slot, number, count, lines) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET number = excluded.number, count = excluded.count, lines = excluded.lines`,
      webhook,
      number % ROWS,
      number,
      ...(isRoomy ? [newest.count + deliveries.length, `${newest.lines}\n${lines}`] : [deliveries.length, lines]),
    );
  }

  /** Newest first. */
  list(webhook: string): ListedDelivery[] {
    return this.#rows(webhook)
      .flatMap(({ lines }) => toDeliveries(lines).reverse())
      .slice(0, LISTED_DELIVERIES);
  }

  remove(webhook: string): void {
    this.#sql.exec("DELETE FROM webhook_deliveries WHERE webhook = ?", webhook);
  }

  #rows(webhook: string): LogRow[] {
    return this.#sql
      .exec<LogRow>(
        "SELECT number, count, lines FROM webhook_deliveries WHERE webhook = ? ORDER BY number DESC",
        webhook,
      )
      .toArray();
  }
}

function toDeliveries(lines: string): ListedDelivery[] {
  return lines.split("\n").map((line) => JSON.parse(line) as ListedDelivery);
}
