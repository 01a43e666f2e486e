import { sql } from "drizzle-orm";
import type { Db } from "./session.ts";

/** The size of a database, which D1 reports with every answer. Reads no row. */
export async function readDatabaseBytes(db: Db): Promise<number> {
  const { meta } = await db.idempotent(() => db.run(sql`SELECT 1`));
  return meta.size_after;
}
