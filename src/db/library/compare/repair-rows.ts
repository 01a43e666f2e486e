import { eq, sql } from "drizzle-orm";
import { toGrams } from "../../listing/search-grams.ts";
import type { Library } from "../library.ts";
import { ownIds } from "../own-ids.ts";
import { folderTags, type Upload, uploads, uploadTags } from "../schema.ts";
import { uploadSearch } from "../upload-search.ts";

/** Gives a row the size of its file. The counts of bytes are counted again afterwards (`compare-counts.ts`). */
export async function setSize(db: Library, { accountId, id }: Upload, sizeBytes: number): Promise<void> {
  await db.idempotent(() =>
    db
      .update(uploads)
      .set({ sizeBytes })
      .where(ownIds(accountId, [id]))
      .run(),
  );
}

/** Puts an upload into the index of names, where it is not there. */
export async function addToSearch(db: Library, { id, accountId, objectKey, originalFilename }: Upload): Promise<void> {
  const entry = db
    .select({ rowid: uploads.number, grams: sql`${toGrams(accountId, objectKey, originalFilename)}`.as("grams") })
    .from(uploads)
    .where(sql`${eq(uploads.id, id)} AND NOT EXISTS (SELECT 1 FROM upload_search WHERE rowid = ${uploads.number})`);
  await db.idempotent(() => db.insert(uploadSearch).select(entry).run());
}

/** Puts an upload's tags into both of their tables, where they are not there. */
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
