import { DrizzleD1Database } from "drizzle-orm/d1";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { mayPass } from "./may-pass.ts";
import { D1Session, type Retry } from "./session.ts";

/** A D1 database. Which of the two kinds it is, its subclasses say: a statement for the one does not compile for the other. */
export abstract class Db extends DrizzleD1Database {
  abstract readonly kind: "directory" | "library";
  /** The binding, for changes of its schema. */
  readonly binding: D1Database;
  readonly #retry: Retry;

  // Like `drizzle()`, but for the session; there are no relational queries, which alone need a schema.
  constructor(binding: D1Database, retry: Retry) {
    const dialect = new SQLiteAsyncDialect();
    super("async", dialect, new D1Session(binding, dialect, retry), undefined);
    this.binding = binding;
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
