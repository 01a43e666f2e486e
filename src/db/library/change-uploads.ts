import { and, count, not, type SQL, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Library } from "./library.ts";
import { ownIds } from "./own-ids.ts";
import { uploads } from "./schema.ts";

export interface DueChange {
  readonly set: SQLiteUpdateSetSource<typeof uploads>;
  /** Whether an upload is not yet as the change makes it. */
  readonly isDue: SQL;
  /** Whether an upload must not be changed: then none is. */
  readonly isRefused?: SQL | undefined;
}

/**
 * Changes those uploads that a change is due for, all or none, in one transaction; ids that are not the account's are passed
 * over. Where the answer is lost, nobody can tell from the uploads whether the change was made before. So what it is due for
 * is read first: of those, the ones that it is due for no more are the changed ones.
 * @returns how many were changed; undefined where one must not be
 */
export async function changeUploads(
  db: Library,
  accountId: string,
  ids: readonly string[],
  { set, isDue, isRefused = sql`false` }: DueChange,
): Promise<number | undefined> {
  const read = db.select({ id: uploads.id }).from(uploads);
  const due = await read.where(and(ownIds(accountId, ids), isDue)).all();
  if (due.length === 0) return 0;
  const own = ownIds(
    accountId,
    due.map(({ id }) => id),
  );
  const counted = () => db.select({ count: count() }).from(uploads);
  const refused = counted().where(and(own, isRefused));
  const update = db
    .update(uploads)
    .set(set)
    .where(and(own, isDue, sql`${refused} = 0`))
    // D1's count of changes has those of the triggers in it.
    .returning({ id: uploads.id });
  const done = counted().where(and(own, not(isDue)));
  let attempts = 0;
  const [refusing, changed, doneNow] = await db.idempotent(() => {
    attempts += 1;
    return db.batch([refused, update, done]);
  });
  if ((refusing[0]?.count ?? 0) > 0) return undefined;
  return attempts === 1 ? changed.length : doneNow[0]?.count;
}
