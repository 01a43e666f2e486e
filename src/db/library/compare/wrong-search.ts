import { sql } from "drizzle-orm";
import { toGrams } from "../../listing/search-grams.ts";
import type { Library } from "../library.ts";
import type { Upload } from "../schema.ts";

/** Uploads of one statement: each is looked up with up to some hundred grams, in about a millisecond. */
const STEP_UPLOADS = 50;

/**
 * Of these uploads, those that are in the index of names under other names. The index does not keep its texts: an entry is right that is
 * found by all of an upload's grams, one behind the other. A row that was changed since it was read is passed over.
 */
export async function findWrongEntries(db: Library, rows: readonly Upload[]): Promise<Upload[]> {
  const wrong = new Set<string>();
  for (let at = 0; at < rows.length; at += STEP_UPLOADS) {
    const given = rows.slice(at, at + STEP_UPLOADS).map(({ id, accountId, objectKey, originalFilename }) => ({
      ...{ id, accountId, objectKey, originalFilename },
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
