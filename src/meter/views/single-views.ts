import type { View } from "../../domain/view-pack.ts";
import type { LogPosition } from "./log-position.ts";

interface ViewRow extends Record<string, SqlStorageValue> {
  id: string;
  at: number;
  resource_id: string;
}

/** Single views, ordered by time, without an index or a column of equal values. All calls are synchronous. */
export class SingleViews {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS class_b_operations (
        at INTEGER NOT NULL,
        id TEXT NOT NULL,
        resource_id TEXT NOT NULL,
        PRIMARY KEY (at, id)
      ) WITHOUT ROWID;
    `);
  }

  /** @returns false if it was recorded before */
  record({ id, at, resourceId }: View): boolean {
    const { rowsWritten } = this.#sql.exec(
      "INSERT OR IGNORE INTO class_b_operations (at, id, resource_id) VALUES (?, ?, ?)",
      at,
      id,
      resourceId,
    );
    return rowsWritten > 0;
  }

  /** Returns the ids of the given views that are stored here. @param views sorted by time */
  find(views: readonly View[]): Set<string> {
    const rows = this.#sql.exec<{ id: string }>(
      "SELECT id FROM class_b_operations WHERE at BETWEEN ? AND ?",
      views[0]?.at ?? 0,
      views.at(-1)?.at ?? 0,
    );
    return new Set(Array.from(rows, ({ id }) => id));
  }

  /** The newest views before a position in the log and not before a time. */
  newest(limit: number, before: LogPosition, from: number): View[] {
    return this.#sql
      .exec<ViewRow>(
        "SELECT id, at, resource_id FROM class_b_operations WHERE at >= ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?",
        from,
        before.at,
        before.id,
        limit,
      )
      .toArray()
      .map(({ id, at, resource_id }) => ({ id, at, resourceId: resource_id }));
  }

  /** Counts the views from `from` until before `until`, up to `max`. */
  count(max: number, from: number, until: number): number {
    return this.#sql
      .exec<{ n: number }>(
        "SELECT count(*) AS n FROM (SELECT 1 FROM class_b_operations WHERE at >= ? AND at < ? LIMIT ?)",
        from,
        until,
        max,
      )
      .one().n;
  }

  /** The time of the oldest view; null if there is none. */
  oldestAt(): number | null {
    return this.#sql.exec<{ at: number | null }>("SELECT min(at) AS at FROM class_b_operations").one().at;
  }

  /** Removes the oldest views before a time. */
  dropBefore(at: number, limit: number): void {
    this.#sql.exec(
      "DELETE FROM class_b_operations WHERE (at, id) IN (SELECT at, id FROM class_b_operations WHERE at < ? ORDER BY at, id LIMIT ?)",
      at,
      limit,
    );
  }
}
