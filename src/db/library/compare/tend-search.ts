import { sql } from "drizzle-orm";
import type { Library } from "../library.ts";

/** Entries that one statement looks at. */
const STEP_ENTRIES = 10_000;
/** Pages of the index that one statement merges: some tens of milliseconds, in which others wait. */
const MERGED_PAGES = 200;

/** Before the first entry. */
export const FIRST_ENTRY = "-1";

/**
 * Entries of the full-text index that no upload has, whosever they were: the index knows no accounts.
 * @param after the entry to go on behind
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

/** Removes such entries, but for those that an upload has by now. */
export async function removeStrayEntries(db: Library, entries: readonly string[]): Promise<void> {
  await db.idempotent(() =>
    db.run(sql`DELETE FROM upload_search WHERE rowid IN (
      SELECT CAST(value AS INTEGER) FROM json_each(${JSON.stringify(entries)})
      WHERE NOT EXISTS (SELECT 1 FROM uploads WHERE number = CAST(value AS INTEGER))
    )`),
  );
}

/**
 * Merges some of the index's segments, in which the terms of deleted rows are until then (FTS5, "The 'merge' command").
 * @returns whether there was anything to merge
 */
export async function mergeSomeSearch(db: Library): Promise<boolean> {
  const merge = sql`INSERT INTO upload_search (upload_search, rank) VALUES ('merge', ${sql.raw(String(MERGED_PAGES))})`;
  const { meta } = await db.idempotent(() => db.run(merge));
  return meta.changes > 1;
}
