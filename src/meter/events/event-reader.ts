import { DAY_MS } from "../../domain/calendar.ts";
import { EVENT_DAYS } from "../../domain/events.ts";

/** The time of the last reading is exact to a day, so that reading writes one row a day. */
const EXACT_MS = DAY_MS;

/** Whether somebody reads the account's events. All calls are synchronous. */
export class EventReader {
  readonly #sql: SqlStorage;
  #readAt: number | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS event_reader (one INTEGER PRIMARY KEY CHECK (one = 1), read_at INTEGER NOT NULL)",
    );
  }

  isReading(now: number): boolean {
    this.#readAt ??= this.#sql.exec<{ at: number }>("SELECT read_at AS at FROM event_reader").toArray()[0]?.at ?? 0;
    return this.#readAt > now - EVENT_DAYS * DAY_MS - EXACT_MS;
  }

  note(now: number): void {
    if (this.isReading(now) && (this.#readAt ?? 0) > now - EXACT_MS) return;
    this.#sql.exec("INSERT OR REPLACE INTO event_reader (one, read_at) VALUES (1, ?)", now);
    this.#readAt = now;
  }
}
