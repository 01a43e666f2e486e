import { sql } from "drizzle-orm";
import type { Directory } from "./directory.ts";

/** Resolves if the database answers. */
export async function ping(db: Directory): Promise<void> {
  await db.idempotent(() => db.run(sql`SELECT 1`));
}
