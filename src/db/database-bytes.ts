import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";

/** The size of a database, as D1 says it with every answer. Reads no row. */
export async function readDatabaseBytes(db: Db): Promise<number> {
  const { meta } = await db.idempotent(() => db.run(sql`SELECT 1`));
  return meta.size_after;
}
