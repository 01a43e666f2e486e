import { migrate } from "../../db/migrate.ts";
import { MIGRATIONS } from "../../db/migrations.ts";
import type { Services } from "../context.ts";

/**
 * Brings the database's schema up to what this version needs.
 * @returns the names of the migrations that were applied
 */
export async function updateSchema({ database }: Services): Promise<string[]> {
  return migrate(database, MIGRATIONS);
}
