import { sql } from "drizzle-orm";
import type { Retry } from "../session.ts";
import { Db } from "../session.ts";

/** The database of accounts, their keys, and the shards of their libraries. */
export class Directory extends Db {
  readonly kind = "directory";
}

/** @param retry how passing failures are retried; by default the caller gets them */
export function openDirectory({ DB }: { readonly DB: D1Database }, retry: Retry = (attempt) => attempt()): Directory {
  return new Directory(DB, retry);
}

/** Resolves if the database answers. */
export async function ping(db: Directory): Promise<void> {
  await db.idempotent(() => db.run(sql`SELECT 1`));
}
