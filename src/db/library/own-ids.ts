import { and, inArray, type SQL, sql } from "drizzle-orm";
import { uploads } from "./schema.ts";

/**
 * An account's uploads by their ids, as one bound value, because D1 binds at most 100. The plus keeps SQLite, which does not know the
 * number of ids, from walking all of the account's uploads.
 */
export function ownIds(accountId: string, ids: readonly string[]): SQL | undefined {
  return and(
    sql`+${uploads.accountId} = ${accountId}`,
    inArray(uploads.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`),
  );
}
