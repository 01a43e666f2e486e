import { count, eq, inArray, sql } from "drizzle-orm";
import type { Library } from "./library.ts";
import { type MoveStep, requireNewestStep } from "./library-state.ts";
import { folders, folderTags, libraries, uploadCounts, uploads, uploadTags } from "./schema.ts";

/** @returns the number of deleted uploads, at most `limit`; 0 if none is left */
export async function deleteSomeUploads(db: Library, step: MoveStep, limit: number): Promise<number> {
  const { accountId } = step;
  const some = db.select({ number: uploads.number }).from(uploads).where(eq(uploads.accountId, accountId)).limit(limit);
  // The rows are counted before the delete, because D1's count of changes would include the triggers' changes.
  const [, counted] = await db.idempotent(() =>
    db.batch([
      requireNewestStep(db, step),
      db.select({ count: count() }).from(some.as("some")),
      db.delete(uploads).where(inArray(uploads.number, some)),
    ]),
  );
  return counted[0]?.count ?? 0;
}

/**
 * Deletes the last rows of a library whose uploads are deleted. Its row in `libraries` stays. An upload in progress may have inserted one
 * more row. That row is deleted first, because its triggers write into the counts, which are deleted last.
 */
export async function emptyLibrary(db: Library, step: MoveStep): Promise<void> {
  await db.idempotent(() => db.batch([requireNewestStep(db, step), ...deletions(db, step.accountId)]));
}

/** Deletes a library and all its rows in this shard. */
export async function deleteLibrary(db: Library, accountId: string): Promise<void> {
  const [first, ...others] = deletions(db, accountId);
  await db.idempotent(() => db.batch([first, ...others, db.delete(libraries).where(eq(libraries.id, accountId))]));
}

function deletions(db: Library, accountId: string) {
  return [
    db.run(sql`PRAGMA defer_foreign_keys = ON`),
    db.delete(uploads).where(eq(uploads.accountId, accountId)),
    db.delete(folders).where(eq(folders.accountId, accountId)),
    db.delete(uploadTags).where(eq(uploadTags.accountId, accountId)),
    db.delete(folderTags).where(eq(folderTags.accountId, accountId)),
    db.delete(uploadCounts).where(eq(uploadCounts.accountId, accountId)),
  ] as const;
}
