import { and, count, inArray, not, type SQL, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { type DueEntry, withEntries } from "./file-history.ts";
import { treeOf } from "./folders.ts";
import type { Library } from "./library.ts";
import { ownIds } from "./own-ids.ts";
import { uploads } from "./schema.ts";
import { uploadSearch } from "./upload-search.ts";

export interface DueChange {
  readonly set: SQLiteUpdateSetSource<typeof uploads>;
  /** Whether an upload still needs the change. */
  readonly isDue: SQL;
  /** Whether an upload must not be changed. One such upload prevents the whole change. */
  readonly isRefused?: SQL | undefined;
  /** Uploads outside this folder and its descendants are skipped. */
  readonly within?: string | undefined;
  /** Added to the history of each changed upload. */
  readonly entries?: readonly DueEntry[] | undefined;
  /** The new text of a renamed upload in the name index. */
  readonly grams?: string | undefined;
}

/**
 * Changes the uploads that need it, all or none, in one transaction. Ids of other accounts are skipped. After a lost answer the rows alone
 * do not show whether this change was made. So the uploads that need it are read first, and the uploads among them that no longer need it
 * count as changed.
 * @returns the number of changed uploads; undefined if one of them must not be changed
 */
export async function changeUploads(
  db: Library,
  accountId: string,
  ids: readonly string[],
  { set, isDue, isRefused = sql`false`, within, entries = [], grams }: DueChange,
): Promise<number | undefined> {
  const isWithin = within === undefined ? undefined : inArray(uploads.folderId, treeOf(accountId, within));
  const read = db.select({ id: uploads.id }).from(uploads);
  const due = await read.where(and(ownIds(accountId, ids), isDue, isWithin)).all();
  if (due.length === 0) return 0;
  const own = ownIds(
    accountId,
    due.map(({ id }) => id),
  );
  const counted = () => db.select({ count: count() }).from(uploads);
  const refused = counted().where(and(own, isRefused));
  const update = db
    .update(uploads)
    .set(entries.length === 0 ? set : { ...set, history: withEntries(entries) })
    .where(and(own, isDue, isWithin, sql`${refused} = 0`))
    // D1's count of changes would include the triggers' changes.
    .returning({ id: uploads.id });
  const done = counted().where(and(own, not(isDue)));
  const renamed = db
    .select({ number: uploads.number })
    .from(uploads)
    .where(and(own, not(isDue)));
  const index =
    grams === undefined ? [] : [db.update(uploadSearch).set({ grams }).where(inArray(uploadSearch.rowid, renamed))];
  let attempts = 0;
  const [refusing, changed, doneNow] = await db.idempotent(() => {
    attempts += 1;
    return db.batch([refused, update, done, ...index]);
  });
  if ((refusing[0]?.count ?? 0) > 0) return undefined;
  return attempts === 1 ? changed.length : doneNow[0]?.count;
}
