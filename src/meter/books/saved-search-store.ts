import type { SavedSearch } from "../../domain/saved-search.ts";

/** The account's saved searches. All calls are synchronous. */
export class SavedSearchStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS saved_searches (id TEXT PRIMARY KEY, name TEXT NOT NULL, address TEXT NOT NULL) WITHOUT ROWID",
    );
  }

  /** In the order in which they were made. */
  list(): SavedSearch[] {
    const found = this.#sql.exec<{ id: string; name: string; address: string }>(
      "SELECT id, name, address FROM saved_searches ORDER BY id",
    );
    return found.toArray();
  }

  put({ id, name, address }: SavedSearch): void {
    this.#sql.exec("INSERT OR REPLACE INTO saved_searches (id, name, address) VALUES (?, ?, ?)", id, name, address);
  }

  remove(id: string): boolean {
    return this.#sql.exec("DELETE FROM saved_searches WHERE id = ?", id).rowsWritten > 0;
  }
}
