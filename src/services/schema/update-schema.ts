import { addShards } from "../../db/directory/shards.ts";
import { migrate, UnknownMigrationsError } from "../../db/migrate.ts";
import { MIGRATIONS } from "../../db/migrations.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { Services } from "../context.ts";

/** The migrations applied to one database, by the name of its binding. */
export interface AppliedMigrations {
  readonly database: string;
  readonly applied: string[];
}

/**
 * Applies the missing migrations to the directory and to every shard, and registers new shards.
 * @returns the applied migrations of each database
 * @throws ServiceError 409 for a database of a newer version of the service
 */
export async function updateSchema({ directory, libraries, now }: Services): Promise<AppliedMigrations[]> {
  const done = [await update("DB", directory.binding, "directory")];
  for (const shard of libraries.shards) {
    done.push(await update(`LIBRARY_${shard}`, libraries.bindingOf(shard), "library"));
  }
  // Last, because registered shards get accounts.
  await addShards(directory, libraries.shards, now());
  return done;
}

async function update(
  database: string,
  binding: D1Database,
  kind: keyof typeof MIGRATIONS,
): Promise<AppliedMigrations> {
  try {
    return { database, applied: await migrate(binding, MIGRATIONS[kind]) };
  } catch (error) {
    throw error instanceof UnknownMigrationsError ? ERRORS.UnknownMigrations(database, error.names) : error;
  }
}
