import { and, inArray, type SQL, sql } from "drizzle-orm";
import { uploads } from "./schema.ts";

/**
 * An account's uploads by their ids: one bound value however many, as D1 takes at most 100. The plus keeps SQLite, which
 * cannot tell how many ids those are, from walking all of the account's uploads.
 */
export function ownIds(accountId: string, ids: readonly string[]): SQL | undefined {
  return and(
    sql`+${uploads.accountId} = ${accountId}`,
    inArray(uploads.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`),
  );
}
