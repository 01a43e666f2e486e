import { sql } from "drizzle-orm";
import type { Directory } from "./directory.ts";

/** Answers if the database does. */
export async function ping(db: Directory): Promise<void> {
  await db.idempotent(() => db.run(sql`SELECT 1`));
}
