import { sql } from "drizzle-orm";
import type { Db } from "../client.ts";

/** Answers if the database does. */
export async function ping(db: Db): Promise<void> {
  await db.idempotent(() => db.run(sql`SELECT 1`));
}
