import { MINUTE_MS } from "../domain/calendar.ts";
import { packViews, unpackViews, type View } from "../domain/view-pack.ts";

/** An account's views of one sequence of a journal. What is sent twice has the same journal and sequence, and the same views. */
export interface ViewPack {
  readonly journal: string;
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/** The ids of a minute's rows begin with its own number times this. */
const ROWS_PER_MINUTE = 1_000_000;
/** What is more goes into another row. Durable Objects take rows of 2 MB (documentation, "Limits"). */
const MAX_ROW_BYTES = 512 * 1024;

/** A pack that was not recorded before, with the views of it that count. */
interface FreshPack {
  /** `journal:sequence`, which no two packs have in common. */
  readonly part: string;
  readonly firstAt: number;
  readonly bytes: Uint8Array;
}

/**
 * Views of the log as their journals pack them. A row has what was counted of all journals' packs whose newest view is of the same
 * minute: that is known of a pack whenever it comes, so a second delivery of it finds its row. All calls are synchronous.
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
    `);
  }

  /**
   * Adds packs that are not there yet.
   * @param isCounted which of a pack's views were counted otherwise: they are left out
   * @returns how many views were added
   */
  record(packs: readonly ViewPack[], isCounted: (views: readonly View[]) => ReadonlySet<string>): number {
    const unpacked = packs.map(({ journal, sequence, bytes }) => ({
      ...{ part: `${journal}:${sequence}`, bytes },
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

  /** The ids of those of these views that are in packs. */
  find(views: readonly View[]): Set<string> {
    const times = views.map(({ at }) => at);
    const wanted = new Set(views.map(({ id }) => id));
    // A pack is of the minute of its newest view: one of an earlier minute has none of them.
    const rows = this.#sql.exec<{ packs: ArrayBuffer }>(
      "SELECT packs FROM view_packs WHERE id >= ? AND first_at <= ?",
      minuteOf(Math.min(...times)) * ROWS_PER_MINUTE,
      Math.max(...times),
    );
    const found = new Set<string>();
    for (const { packs } of rows) {
      for (const { id } of unpackViews(new Uint8Array(packs))) if (wanted.has(id)) found.add(id);
    }
    return found;
  }

  /** Views up to a moment, newest first; those of one millisecond by their ids. */
  *newestFirst(until: number): Generator<View> {
    let waiting: View[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const minute = this.#minuteBefore(before, until);
      const startsAt = minute === undefined ? Number.NEGATIVE_INFINITY : minute * MINUTE_MS;
      if (minute !== undefined) waiting = waiting.concat(this.#viewsOf(minute).filter(({ at }) => at <= until));
      waiting.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
      // What comes of earlier minutes is older than this minute.
      yield* waiting.filter(({ at }) => at >= startsAt);
      if (minute === undefined) return;
      waiting = waiting.filter(({ at }) => at < startsAt);
      before = minute * ROWS_PER_MINUTE;
    }
  }

  /** When the oldest row's newest view was made at the earliest; null where there is none. */
  oldestAt(): number | null {
    const { id } = this.#sql.exec<{ id: number | null }>("SELECT min(id) AS id FROM view_packs").one();
    return id === null ? null : Math.floor(id / ROWS_PER_MINUTE) * MINUTE_MS;
  }

  /**
   * Forgets the oldest rows, those of which every view is older than a moment.
   * @returns how many
   */
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

  /** What is recorded of a minute, and the id that its next row has. */
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

  #viewsOf(minute: number): View[] {
    return this.#sql
      .exec<{ packs: ArrayBuffer }>(
        "SELECT packs FROM view_packs WHERE id >= ? AND id < ?",
        minute * ROWS_PER_MINUTE,
        (minute + 1) * ROWS_PER_MINUTE,
      )
      .toArray()
      .flatMap(({ packs }) => unpackViews(new Uint8Array(packs)));
  }

  /** The last minute before a row that has views of `until` or before. */
  #minuteBefore(id: number, until: number): number | undefined {
    const [row] = this.#sql
      .exec<{ id: number }>(
        "SELECT id FROM view_packs WHERE id < ? AND first_at <= ? ORDER BY id DESC LIMIT 1",
        id,
        until,
      )
      .toArray();
    return row && Math.floor(row.id / ROWS_PER_MINUTE);
  }
}

function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS);
}

/** Packs together as far as a row takes them. */
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
