import { and, eq, getTableColumns, inArray, notExists, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { UploadStatus } from "../../domain/upload-status.ts";
import { LibraryMovedError } from "../library-moved-error.ts";
import { toGrams } from "../listing/search-grams.ts";
import { changeUploads } from "./change-uploads.ts";
import type { Library } from "./library.ts";
import { findLibraryState } from "./library-state.ts";
import { ownIds } from "./own-ids.ts";
import { libraries, movedUploads, type Upload, uploads } from "./schema.ts";
import { uploadSearch } from "./upload-search.ts";

/** An upload's columns, without the number that is no JavaScript number. */
const { number: _, ...columns } = getTableColumns(uploads);
export const uploadColumns = columns;

/** SQLite's integers have 63 bits; the year 2248 in milliseconds is the last that fits. */
export const MAX_NUMBER = 2n ** 63n - 1n;

/**
 * Inserts the uploads of one request, all or none; those that are there already stay as they are. Uploads of the same
 * millisecond are numbered in the order given.
 * @throws ConstraintError `foreign-key` where the account or the folder is gone
 */
export async function insertUploads(db: Library, rows: readonly Upload[]): Promise<void> {
  const [first, ...rest] = rows.flatMap((row): BatchItem<"sqlite">[] => [
    db
      .insert(uploads)
      .values({ ...row, number: nextNumber(row.createdAt) })
      .onConflictDoNothing({ target: uploads.id }),
    db.insert(uploadSearch).select(
      db
        .select({
          rowid: uploads.number,
          grams: sql`${toGrams(row.accountId, row.objectKey, row.originalFilename)}`.as("grams"),
        })
        .from(uploads)
        .where(
          and(eq(uploads.id, row.id), sql`NOT EXISTS (SELECT 1 FROM upload_search WHERE rowid = ${uploads.number})`),
        ),
    ),
  ]);
  if (first !== undefined) await db.idempotent(() => db.batch([first, ...rest]));
}

/** The first number of a millisecond that no upload has. */
function nextNumber(createdAt: number): SQL {
  const from = numberAt(createdAt);
  return sql`(SELECT ifnull(max(number) + 1, ${from}) FROM ${uploads} WHERE number >= ${from} AND number < ${numberAt(createdAt + 1)})`;
}

/** The least number of an upload made at or after `at`. Bound as text, as D1 binds JavaScript numbers as REAL. */
export function numberAt(at: number): SQL {
  const number = BigInt(at) << 20n;
  return sql`CAST(${String(number < 0n ? 0n : number > MAX_NUMBER ? MAX_NUMBER : number)} AS INTEGER)`;
}

export async function findUpload(db: Library, accountId: string, uploadId: string): Promise<Upload | undefined> {
  return db
    .select(uploadColumns)
    .from(uploads)
    .where(and(eq(uploads.accountId, accountId), eq(uploads.id, uploadId)))
    .get();
}

/** Those of an account's uploads that are still there, in no order. */
export async function findUploads(db: Library, accountId: string, ids: readonly string[]): Promise<Upload[]> {
  return db.select(uploadColumns).from(uploads).where(ownIds(accountId, ids)).all();
}

/**
 * Tells "unknown" from "another account's", in the shard where the upload was made: the only question asked across accounts. What an
 * account has deleted may still be in the shard that its library has left, and is unknown to it all the same.
 */
export async function isForeignUpload(db: Library, accountId: string, uploadId: string): Promise<boolean> {
  return (await findForeignUploads(db, accountId, [uploadId])).length > 0;
}

/** Which of these uploads, all made in this shard, are another account's. */
export async function findForeignUploads(
  db: Library,
  accountId: string,
  uploadIds: readonly string[],
): Promise<string[]> {
  const wanted = sql`(SELECT value FROM json_each(${JSON.stringify(uploadIds)}))`;
  const others = (table: typeof uploads | typeof movedUploads) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(inArray(table.id, wanted), sql`+${table.accountId} <> ${accountId}`));
  const here = others(uploads);
  const moved = others(movedUploads);
  return (await here.unionAll(moved).all()).map(({ id }) => id);
}

/** Moves uploads from one status to the other. @returns how many really changed */
export async function updateStatus(
  db: Library,
  accountId: string,
  ids: readonly string[],
  { from, to }: { readonly from: UploadStatus; readonly to: UploadStatus },
): Promise<number> {
  const moved = await changeUploads(db, accountId, ids, { set: { status: to }, isDue: eq(uploads.status, from) });
  return moved ?? 0;
}

export async function deleteUpload(db: Library, accountId: string, uploadId: string): Promise<void> {
  await deleteUploads(db, accountId, [uploadId]);
}

/**
 * Deletes uploads where the library is. A shard that it has left still takes deletions, for its old rows have to go: one that comes
 * there late must not be taken for this one.
 */
export async function deleteUploads(db: Library, accountId: string, ids: readonly string[]): Promise<void> {
  const left = db
    .select({ id: libraries.id })
    .from(libraries)
    .where(and(eq(libraries.id, accountId), eq(libraries.state, "left")));
  await db.idempotent(async () => {
    const { meta } = await db
      .delete(uploads)
      .where(and(ownIds(accountId, ids), notExists(left)))
      .run();
    if (meta.changes === 0 && (await findLibraryState(db, accountId)) === "left") throw new LibraryMovedError(true);
  });
}

/**
 * Forgets an upload that was made in this shard and deleted in the one to which its library has moved. Its old row goes too where
 * it is there still: of those that are, it is kept that they exist (`deleteSomeLeft`).
 */
export async function deleteMovedUpload(db: Library, accountId: string, uploadId: string): Promise<void> {
  const moved = and(eq(movedUploads.id, uploadId), eq(movedUploads.accountId, accountId));
  await db.idempotent(() =>
    db.batch([db.delete(uploads).where(ownIds(accountId, [uploadId])), db.delete(movedUploads).where(moved)]),
  );
}
