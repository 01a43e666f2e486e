import { DrizzleD1Database } from "drizzle-orm/d1";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { mayPass } from "./may-pass.ts";
import { D1Session, type Retry } from "./session.ts";

export class Db extends DrizzleD1Database {
  readonly #retry: Retry;

  // Like `drizzle()`, but for the session; there are no relational queries, which alone need a schema.
  constructor(database: D1Database, retry: Retry) {
    const dialect = new SQLiteAsyncDialect();
    super("async", dialect, new D1Session(database, dialect, retry), undefined);
    this.#retry = retry;
  }

  /**
   * Runs writes, or several reads at once, that may be run twice: the second time they change nothing and answer the same.
   * An error may come after the commit, so it is the caller who must know. Single reads need no such word.
   */
  idempotent<T>(run: () => Promise<T>): Promise<T> {
    return this.#retry(run, mayPass);
  }
}

/**
 * The one place that says which D1 database holds an account's rows.
 * @param retry how failures that may pass are answered; by default they are the caller's
 */
export function openDb(database: D1Database, retry: Retry = (attempt) => attempt()): Db {
  return new Db(database, retry);
}
