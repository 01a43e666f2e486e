import type { View } from "../domain/view-pack.ts";
import type { LogPosition } from "./newest-views.ts";

interface ViewRow extends Record<string, SqlStorageValue> {
  id: string;
  at: number;
  resource_id: string;
}

/**
 * The log's views that came one by one, ordered by time, without an index or a column that says the same of each. All calls are
 * synchronous.
 */
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

  /** @returns false where it was recorded before */
  record({ id, at, resourceId }: View): boolean {
    const { rowsWritten } = this.#sql.exec(
      "INSERT OR IGNORE INTO class_b_operations (at, id, resource_id) VALUES (?, ?, ?)",
      at,
      id,
      resourceId,
    );
    return rowsWritten > 0;
  }

  /** The ids of those of these views, in the order of time, that are here. */
  find(views: readonly View[]): Set<string> {
    const rows = this.#sql.exec<{ id: string }>(
      "SELECT id FROM class_b_operations WHERE at BETWEEN ? AND ?",
      views[0]?.at ?? 0,
      views.at(-1)?.at ?? 0,
    );
    return new Set(Array.from(rows, ({ id }) => id));
  }

  /** The newest before a place in the log and not before a moment. */
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

  /** How many there are from a moment until another, which is left out; counted up to `max`. */
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

  /** When the oldest was made; null where there is none. */
  oldestAt(): number | null {
    return this.#sql.exec<{ at: number | null }>("SELECT min(at) AS at FROM class_b_operations").one().at;
  }

  /** Forgets the oldest of those before a moment. */
  dropBefore(at: number, limit: number): void {
    this.#sql.exec(
      "DELETE FROM class_b_operations WHERE (at, id) IN (SELECT at, id FROM class_b_operations WHERE at < ? ORDER BY at, id LIMIT ?)",
      at,
      limit,
    );
  }
}
