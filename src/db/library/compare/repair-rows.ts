import { eq, inArray, sql } from "drizzle-orm";
import { toGrams } from "../../listing/search-grams.ts";
import type { Library } from "../library.ts";
import { ownIds } from "../own-ids.ts";
import { folderTags, type Upload, uploads, uploadTags } from "../schema.ts";
import { uploadSearch } from "../upload-search.ts";

/** Sets a row's size to its file's. The byte counts are counted again afterwards (`compare-counts.ts`). */
export async function setSize(db: Library, { accountId, id }: Upload, sizeBytes: number): Promise<void> {
  await db.idempotent(() =>
    db
      .update(uploads)
      .set({ sizeBytes })
      .where(ownIds(accountId, [id]))
      .run(),
  );
}

/** Adds an upload to the name index if it is missing. */
export async function addToSearch(db: Library, upload: Upload): Promise<void> {
  await db.idempotent(() => insertEntry(db, upload).run());
}

/** Replaces the entry with the upload's number in the name index. */
export async function replaceInSearch(db: Library, upload: Upload): Promise<void> {
  const own = ownIds(upload.accountId, [upload.id]);
  const numbers = db.select({ number: uploads.number }).from(uploads).where(own);
  await db.idempotent(() =>
    db.batch([db.delete(uploadSearch).where(inArray(uploadSearch.rowid, numbers)), insertEntry(db, upload)]),
  );
}

function insertEntry(db: Library, { id, accountId, objectKey, originalFilename }: Upload) {
  const entry = db
    .select({ rowid: uploads.number, grams: sql`${toGrams(accountId, objectKey, originalFilename)}`.as("grams") })
    .from(uploads)
    .where(sql`${eq(uploads.id, id)} AND NOT EXISTS (SELECT 1 FROM upload_search WHERE rowid = ${uploads.number})`);
  return db.insert(uploadSearch).select(entry);
}

/** Adds an upload's tags to both tag tables if they are missing. */
export async function addToTags(db: Library, { accountId, id }: Upload): Promise<void> {
  const own = ownIds(accountId, [id]);
  await db.idempotent(() =>
    db.batch([
      db
        .insert(uploadTags)
        .select(
          sql`SELECT account_id, status, tag.value, number FROM ${uploads}, json_each(uploads.tags) AS tag WHERE ${own}`,
        )
        .onConflictDoNothing(),
      db
        .insert(folderTags)
        .select(
          sql`SELECT account_id, ifnull(folder_id, ''), status, tag.value, number FROM ${uploads}, json_each(uploads.tags) AS tag WHERE ${own}`,
        )
        .onConflictDoNothing(),
    ]),
  );
}
