import { DAY_MS } from "../../domain/calendar.ts";
import { EVENT_DAYS } from "../../domain/events.ts";
import { type EventFacts, type OpenEvent, type StoredEvent, subjectOf } from "./event.ts";

/** Events of one row. */
const PAGE_EVENTS = 40;
/** The most rows that one pruning removes. */
const PRUNED_PAGES = 500;

/** An event as it is written: with facts, or open. Null: an announced change was not made. */
export type WrittenEvent = (Omit<StoredEvent, "place"> | OpenEvent) | null;

/** A row with open events. */
export interface OpenPage {
  readonly first: number;
  readonly events: readonly WrittenEvent[];
}

interface PageRow extends Record<string, SqlStorageValue> {
  first: number;
  last: number;
  is_open: number;
  lines: string;
}

/**
 * The account's events of the last 30 days, in order. A row has up to 40 events, one a line, so that a bulk change writes few rows and an
 * old event costs a fortieth of a deletion. All calls are synchronous.
 */
export class EventPages {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS event_pages (
        first INTEGER PRIMARY KEY,
        last INTEGER NOT NULL,
        at INTEGER NOT NULL,
        is_open INTEGER NOT NULL,
        lines TEXT NOT NULL
      );
      CREATE INDEX IF NOT EXISTS open_event_pages ON event_pages (first) WHERE is_open = 1;
    `);
  }

  /** The place of the newest event; 0 if there is none. */
  get last(): number {
    return this.#newest()?.last ?? 0;
  }

  /** The last place before which no event is open. */
  get readyLast(): number {
    const [open] = this.#open(1);
    if (open === undefined) return this.last;
    return open.first + open.events.findIndex((event) => event !== null && isOpen(event)) - 1;
  }

  /** @returns the place of the first of them */
  append(events: readonly WrittenEvent[], now: number): number {
    const first = this.last + 1;
    let rest = events;
    const newest = this.#newest();
    if (newest !== undefined) {
      const added = rest.slice(0, Math.max(0, PAGE_EVENTS - (newest.last - newest.first + 1)));
      rest = rest.slice(added.length);
      if (added.length > 0) this.#extend(newest, added, now);
    }
    for (let place = first + events.length - rest.length; rest.length > 0; place += PAGE_EVENTS) {
      const page = rest.slice(0, PAGE_EVENTS);
      rest = rest.slice(PAGE_EVENTS);
      this.#sql.exec(
        "INSERT INTO event_pages (first, last, at, is_open, lines) VALUES (?, ?, ?, ?, ?)",
        place,
        place + page.length - 1,
        now,
        page.some(isOpen) ? 1 : 0,
        toLines(page),
      );
    }
    return first;
  }

  /** The events after a place, in order, at most `limit`, from the first rows that have any. */
  read(after: number, until: number, limit: number): StoredEvent[] {
    const rows = this.#sql.exec<PageRow>(
      `SELECT first, lines FROM event_pages
       WHERE first >= coalesce((SELECT max(first) FROM event_pages WHERE first <= ?), 0) AND first <= ? ORDER BY first`,
      after + 1,
      until,
    );
    const found: StoredEvent[] = [];
    for (const { first, lines } of rows) {
      for (const [index, event] of toEvents(lines).entries()) {
        const place = first + index;
        if (place <= after || place > until || event === null || isOpen(event)) continue;
        found.push({ ...event, place });
        if (found.length === limit) return found;
      }
    }
    return found;
  }

  /** The rows with open events, oldest first. */
  listOpen(limit: number): OpenPage[] {
    return this.#open(limit);
  }

  hasOpen(): boolean {
    return this.#sql.exec("SELECT 1 FROM event_pages WHERE is_open = 1 LIMIT 1").toArray().length > 0;
  }

  /** Gives open events their facts. @param factsOf undefined: it stays open; null: its change was not made */
  close(first: number, factsOf: (event: OpenEvent, place: number) => EventFacts | null | undefined): void {
    const [row] = this.#sql.exec<PageRow>("SELECT first, lines FROM event_pages WHERE first = ?", first).toArray();
    if (row === undefined) return;
    const events = toEvents(row.lines).map((event, index): WrittenEvent => {
      if (event === null || !isOpen(event)) return event;
      const facts = factsOf(event, first + index);
      if (facts === undefined || facts === null) return facts === null ? null : event;
      const { id, type, at } = event;
      return { id, type, at, facts };
    });
    this.#sql.exec(
      "UPDATE event_pages SET is_open = ?, lines = ? WHERE first = ?",
      events.some(isOpen) ? 1 : 0,
      toLines(events),
      first,
    );
  }

  /** Whether an event after this place may be about the upload. */
  mentions(uploadId: string, after: number): boolean {
    const rows = this.#sql.exec<PageRow>(
      `SELECT first, lines FROM event_pages
       WHERE first >= coalesce((SELECT max(first) FROM event_pages WHERE first <= ?), 0) AND instr(lines, ?) > 0`,
      after,
      uploadId,
    );
    for (const { first, lines } of rows) {
      const isLater = toEvents(lines).some(
        (event, index) => first + index > after && JSON.stringify(event).includes(uploadId),
      );
      if (isLater) return true;
    }
    return false;
  }

  /** The last place before a time; 0 if there is none. */
  placeBefore(at: number): number {
    const [row] = this.#sql
      .exec<{ last: number }>("SELECT last FROM event_pages WHERE at < ? ORDER BY first DESC LIMIT 1", at)
      .toArray();
    return row?.last ?? 0;
  }

  /** The last event of each of these uploads that was written since a time. */
  lastOf(uploadIds: readonly string[], since: number): ReadonlyMap<string, OpenEvent | StoredEvent> {
    const found = new Map<string, OpenEvent | StoredEvent>();
    const rows = this.#sql.exec<PageRow & { at: number }>(
      "SELECT first, lines, at FROM event_pages ORDER BY first DESC",
    );
    for (const { first, lines, at } of rows) {
      if (at < since) break;
      const wanted = new Set(uploadIds.filter((id) => !found.has(id) && lines.includes(id)));
      if (wanted.size === 0) continue;
      for (const [index, event] of toEvents(lines).entries()) {
        if (event === null) continue;
        const uploadId = isOpen(event) ? event.uploadId : subjectOf(event);
        if (wanted.has(uploadId)) found.set(uploadId, isOpen(event) ? event : { ...event, place: first + index });
      }
    }
    return found;
  }

  /** The time at which the oldest events expire; null if only the newest row is left, which keeps the count of places. */
  nextPruningAt(): number | null {
    const rows = this.#sql.exec<{ at: number }>("SELECT at FROM event_pages ORDER BY first LIMIT 2").toArray();
    return rows[0] === undefined || rows.length < 2 ? null : rows[0].at + (EVENT_DAYS + 1) * DAY_MS;
  }

  /** Removes expired events. */
  prune(now: number): void {
    const oldest = this.#sql
      .exec<{ first: number; at: number }>("SELECT first, at FROM event_pages ORDER BY first LIMIT ?", PRUNED_PAGES + 1)
      .toArray();
    const expired = oldest.slice(0, -1).filter(({ at }) => at < now - EVENT_DAYS * DAY_MS);
    const last = expired.at(-1);
    if (last !== undefined) this.#sql.exec("DELETE FROM event_pages WHERE first <= ?", last.first);
  }

  #newest(): PageRow | undefined {
    return this.#sql
      .exec<PageRow>("SELECT first, last, is_open FROM event_pages ORDER BY first DESC LIMIT 1")
      .toArray()[0];
  }

  #open(limit: number): OpenPage[] {
    return this.#sql
      .exec<PageRow>("SELECT first, lines FROM event_pages WHERE is_open = 1 ORDER BY first LIMIT ?", limit)
      .toArray()
      .map(({ first, lines }) => ({ first, events: toEvents(lines) }));
  }

  #extend({ first, last, is_open }: PageRow, added: readonly WrittenEvent[], now: number): void {
    // The index has the column, so it is only written if it changes.
    const opens = is_open === 0 && added.some(isOpen) ? ", is_open = 1" : "";
    this.#sql.exec(
      `UPDATE event_pages SET last = ?, at = max(at, ?), lines = lines || char(10) || ?${opens} WHERE first = ?`,
      last + added.length,
      now,
      toLines(added),
      first,
    );
  }
}

export function isOpen(event: WrittenEvent): event is OpenEvent {
  return event !== null && !("facts" in event);
}

function toLines(events: readonly WrittenEvent[]): string {
  return events.map((event) => JSON.stringify(event)).join("\n");
}

function toEvents(lines: string): WrittenEvent[] {
  return lines.split("\n").map((line) => JSON.parse(line) as WrittenEvent);
}
