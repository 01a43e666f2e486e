import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import * as schema from "./schema.ts";

export type Db = DrizzleD1Database<typeof schema>;

/** The one place that says which D1 database holds an account's rows. */
export function openDb(database: D1Database): Db {
  return drizzle(database, { schema });
}
