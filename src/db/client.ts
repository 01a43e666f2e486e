import { DrizzleD1Database } from "drizzle-orm/d1";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { D1Session } from "./d1-session.ts";

export type Db = DrizzleD1Database;

/** The one place that says which D1 database holds an account's rows. */
export function openDb(database: D1Database): Db {
  const dialect = new SQLiteAsyncDialect();
  // Like `drizzle()`, but for the session; there are no relational queries, which alone need a schema.
  return new DrizzleD1Database("async", dialect, new D1Session(database, dialect), undefined);
}
