import { MINUTE_MS } from "../../domain/calendar.ts";
import { packedViews, packViews, sentBytesOf, unpackViews, type View } from "../../domain/view-pack.ts";
import type { LogPosition } from "./log-position.ts";
import { NewestViews } from "./newest-views.ts";

/** An account's views in one sequence of a journal. A pack that is sent twice has the same journal, sequence and views. */
export interface ViewPack {
  readonly journal: string;
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/** The ids of a minute's rows begin with the minute's number times this. */
const ROWS_PER_MINUTE = 1_000_000;
/**
 * The most bytes of packs in a row. Further packs go into another row. A row of a Durable Object has at most 2 MB (documentation,
 * "Limits").
 */
const MAX_ROW_BYTES = 512 * 1024;
/** Views are sent about once a minute, so a row has no views much older than its minute, unless a journal could not send. */
const USUAL_REACH_MINUTES = 60;
/** The rows that have older views. */
const REACHES_BACK = `first_at < (id / ${ROWS_PER_MINUTE} - ${USUAL_REACH_MINUTES}) * ${MINUTE_MS}`;

interface PackRow extends Record<string, SqlStorageValue> {
  id: number;
  packs: ArrayBuffer;
}

/** A pack that was not recorded before, with its uncounted views. */
interface FreshPack {
  /** `journal:sequence`, which is unique. */
  readonly part: string;
  readonly firstAt: number;
  readonly bytes: Uint8Array;
}

/**
 * Views of the log as their journals pack them. A row contains the packs of all journals whose newest view is in the same minute. A pack's
 * minute never changes, so a second delivery finds the same row. All calls are synchronous.
 */
export class ViewPacks {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS view_packs (
        id INTEGER PRIMARY KEY,
        first_at INTEGER NOT NULL,
        parts TEXT NOT NULL,
        packs BLOB NOT NULL
      );
      CREATE INDEX IF NOT EXISTS view_packs_reaching_back ON view_packs (first_at) WHERE ${REACHES_BACK};
    `);
  }

  /**
   * Adds new packs.
   * @param isCounted returns the views of a pack that were counted as single views; they are left out
   * @param onFresh called with the bytes that the views of each new pack sent
   * @returns the number of added views
   */
  record(
    packs: readonly ViewPack[],
    isCounted: (views: readonly View[]) => ReadonlySet<string>,
    onFresh: (sentBytes: number) => void = () => {},
  ): number {
    const unpacked = packs.map(({ journal, sequence, bytes }) => ({
      part: `${journal}:${sequence}`,
      bytes,
      views: unpackViews(bytes),
    }));
    const byMinute = Map.groupBy(unpacked, ({ views }) => minuteOf(views.at(-1)?.at ?? 0));
    let added = 0;
    for (const [minute, ofMinute] of byMinute) {
      const { parts, nextId } = this.#minute(minute);
      const fresh: FreshPack[] = [];
      for (const { part, bytes, views } of ofMinute) {
        if (parts.has(part)) continue;
        parts.add(part);
        onFresh(sentBytesOf(bytes));
        const counted = isCounted(views);
        const uncounted = counted.size === 0 ? views : views.filter(({ id }) => !counted.has(id));
        added += uncounted.length;
        const kept = uncounted.length === views.length ? bytes : packViews(uncounted);
        fresh.push({ part, firstAt: views[0]?.at ?? 0, bytes: kept });
      }
      for (const [index, row] of toRows(fresh).entries()) this.#insert(nextId + index, row);
    }
    return added;
  }

  /** Returns the ids of the views that are in packs. */
  find(views: readonly View[]): Set<string> {
    const times = views.map(({ at }) => at);
    const wanted = new Set(views.map(({ id }) => id));
    const [until, from] = [Math.max(...times), Math.min(...times)];
    const found = new Set<string>();
    for (const rows of [this.#rowsReachingBack(until, from), this.#rows(until, from)]) {
      for (const { packs } of rows) {
        for (const { id } of packedViews(new Uint8Array(packs))) if (wanted.has(id)) found.add(id);
      }
    }
    return found;
  }

  /** The newest views before a position in the log and not before a time, newest first; views of the same millisecond are sorted by id. */
  newest(limit: number, before: LogPosition, from: number): View[] {
    const newest = new NewestViews(limit, before, from);
    for (const { packs } of this.#rowsReachingBack(before.at, from)) newest.add(packs);
    for (const { id, packs } of this.#rows(before.at, from)) {
      // This row and the rows after it have only views of its minute and of earlier minutes.
      if (newest.isCompleteFrom((Math.floor(id / ROWS_PER_MINUTE) + 1) * MINUTE_MS)) break;
      newest.add(packs);
    }
    return newest.take();
  }

  /** Counts the views from `from` until before `until`, up to `max`. */
  count(max: number, from: number, until: number): number {
    let count = 0;
    for (const rows of [this.#rowsReachingBack(until - 1, from), this.#rows(until - 1, from)]) {
      for (const { packs } of rows) {
        for (const { at } of packedViews(new Uint8Array(packs))) if (at >= from && at < until) count += 1;
        if (count >= max) return max;
      }
    }
    return count;
  }

  /** The start of the oldest row's minute; null if there is no row. */
  oldestAt(): number | null {
    const { id } = this.#sql.exec<{ id: number | null }>("SELECT min(id) AS id FROM view_packs").one();
    return id === null ? null : Math.floor(id / ROWS_PER_MINUTE) * MINUTE_MS;
  }

  /** Removes the oldest rows whose views are all older than a time. @returns the number of removed rows */
  dropBefore(at: number, limit: number): number {
    const { rowsWritten } = this.#sql.exec(
      "DELETE FROM view_packs WHERE id IN (SELECT id FROM view_packs WHERE id < ? ORDER BY id LIMIT ?)",
      Math.min(Number.MAX_SAFE_INTEGER, minuteOf(at) * ROWS_PER_MINUTE),
      limit,
    );
    return rowsWritten;
  }

  #insert(id: number, packs: readonly FreshPack[]): void {
    this.#sql.exec(
      "INSERT INTO view_packs (id, first_at, parts, packs) VALUES (?, ?, ?, ?)",
      id,
      Math.min(...packs.map(({ firstAt }) => firstAt)),
      packs.map(({ part }) => part).join(),
      concat(packs.map(({ bytes }) => bytes)),
    );
  }

  /** The parts recorded for a minute, and the id of its next row. */
  #minute(minute: number): { readonly parts: Set<string>; readonly nextId: number } {
    const firstId = minute * ROWS_PER_MINUTE;
    const rows = this.#sql
      .exec<{ id: number; parts: string }>(
        "SELECT id, parts FROM view_packs WHERE id >= ? AND id < ? ORDER BY id",
        firstId,
        firstId + ROWS_PER_MINUTE,
      )
      .toArray();
    return {
      parts: new Set(rows.flatMap(({ parts }) => parts.split(","))),
      nextId: (rows.at(-1)?.id ?? firstId - 1) + 1,
    };
  }

  /** Rows that may have views from one time to another, both included, newest first. `#rowsReachingBack` has the rest. */
  #rows(until: number, from: number): SqlStorageCursor<PackRow> {
    return this.#sql.exec<PackRow>(
      `SELECT id, packs FROM view_packs WHERE id >= ? AND id < ? AND first_at <= ? AND NOT (${REACHES_BACK}) ORDER BY id DESC`,
      minuteOf(from) * ROWS_PER_MINUTE,
      Math.min(Number.MAX_SAFE_INTEGER, (minuteOf(until) + 1 + USUAL_REACH_MINUTES) * ROWS_PER_MINUTE),
      until,
    );
  }

  /** Rows that reach back to older views. They are rare, because a journal seldom fails to send. */
  #rowsReachingBack(until: number, from: number): SqlStorageCursor<PackRow> {
    return this.#sql.exec<PackRow>(
      `SELECT id, packs FROM view_packs WHERE ${REACHES_BACK} AND first_at <= ? AND id >= ?`,
      until,
      minuteOf(from) * ROWS_PER_MINUTE,
    );
  }
}

function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS);
}

/** Joins packs as long as they fit into a row. */
function toRows(packs: readonly FreshPack[]): FreshPack[][] {
  const rows: FreshPack[][] = [];
  let rowBytes = MAX_ROW_BYTES;
  for (const pack of packs) {
    if (rowBytes + pack.bytes.length > MAX_ROW_BYTES) {
      rows.push([]);
      rowBytes = 0;
    }
    rows.at(-1)?.push(pack);
    rowBytes += pack.bytes.length;
  }
  return rows;
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const chunk of chunks) {
    whole.set(chunk, end);
    end += chunk.length;
  }
  return whole;
}
