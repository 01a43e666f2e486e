import { sql } from "drizzle-orm";
import { toGrams } from "../../listing/search-grams.ts";
import type { Library } from "../library.ts";
import type { Upload } from "../schema.ts";

/** Entries that one statement checks. */
const STEP_ENTRIES = 10_000;
/** Index pages that one statement merges: some tens of milliseconds, during which other statements wait. */
const MERGED_PAGES = 200;

/** A number below that of the first entry. */
export const FIRST_ENTRY = "-1";

/**
 * Finds entries of the full-text index without an upload. The index does not know accounts, so this covers all.
 * @param after the last entry that was checked
 * @returns `next` is undefined at the end
 */
export async function findStrayEntries(
  db: Library,
  after: string,
): Promise<{ readonly strays: string[]; readonly next: string | undefined }> {
  const page = sql`SELECT rowid AS entry FROM upload_search WHERE rowid > CAST(${after} AS INTEGER) ORDER BY rowid LIMIT ${STEP_ENTRIES}`;
  const strays = await db.all<{ entry: string }>(sql`
    SELECT CAST(entry AS TEXT) AS entry FROM (${page}) WHERE NOT EXISTS (SELECT 1 FROM uploads WHERE number = entry)`);
  const [end] = await db.all<{ entry: string }>(
    sql`SELECT CAST(entry AS TEXT) AS entry FROM (${page}) LIMIT 1 OFFSET ${STEP_ENTRIES - 1}`,
  );
  return { strays: strays.map(({ entry }) => entry), next: end?.entry };
}

/** Removes these entries unless an upload has them now. */
export async function removeStrayEntries(db: Library, entries: readonly string[]): Promise<void> {
  await db.idempotent(() =>
    db.run(sql`DELETE FROM upload_search WHERE rowid IN (
      SELECT CAST(value AS INTEGER) FROM json_each(${JSON.stringify(entries)})
      WHERE NOT EXISTS (SELECT 1 FROM uploads WHERE number = CAST(value AS INTEGER))
    )`),
  );
}

/**
 * Merges some of the index's segments. Before that, they still contain the terms of deleted rows (FTS5, "The 'merge' command").
 * @returns whether there was anything to merge
 */
export async function mergeSomeSearch(db: Library): Promise<boolean> {
  const merge = sql`INSERT INTO upload_search (upload_search, rank) VALUES ('merge', ${sql.raw(String(MERGED_PAGES))})`;
  const { meta } = await db.idempotent(() => db.run(merge));
  return meta.changes > 1;
}

/** Uploads of one statement. Each lookup has up to some hundred grams and takes about a millisecond. */
const STEP_UPLOADS = 50;

/**
 * Returns the uploads whose entry in the name index has other names. The index does not store its texts, so an entry is right if the phrase
 * of all the upload's grams finds it. A row that changed since it was read is skipped.
 */
export async function findWrongEntries(db: Library, rows: readonly Upload[]): Promise<Upload[]> {
  const wrong = new Set<string>();
  for (let at = 0; at < rows.length; at += STEP_UPLOADS) {
    const given = rows.slice(at, at + STEP_UPLOADS).map(({ id, accountId, objectKey, originalFilename }) => ({
      id,
      accountId,
      objectKey,
      originalFilename,
      match: `"${toGrams(accountId, objectKey, originalFilename).replaceAll('"', '""')}"`,
    }));
    const found = await db.all<{ id: string }>(sql`
      SELECT upload.id AS id FROM json_each(${JSON.stringify(given)}) AS given
      JOIN uploads AS upload ON upload.id = given.value ->> 'id' AND upload.account_id = given.value ->> 'accountId'
        AND upload.object_key = given.value ->> 'objectKey' AND upload.original_filename = given.value ->> 'originalFilename'
      WHERE EXISTS (SELECT 1 FROM upload_search WHERE rowid = upload.number)
        AND NOT EXISTS (SELECT 1 FROM upload_search WHERE upload_search MATCH given.value ->> 'match' AND rowid = upload.number)`);
    for (const { id } of found) wrong.add(id);
  }
  return rows.filter(({ id }) => wrong.has(id));
}
