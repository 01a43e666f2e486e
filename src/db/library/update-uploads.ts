import { and, count, or, type SQL, sql } from "drizzle-orm";
import { MAX_TAGS } from "../../domain/tags.ts";
import type { Db } from "../client.ts";
import { uploads } from "../schema.ts";
import { ownIds } from "./uploads.ts";

export interface UploadChange {
  /** Null is Root. */
  readonly folderId?: string | null | undefined;
  readonly favorite?: boolean | undefined;
  /** In place of all that there are. */
  readonly tags?: readonly string[] | undefined;
  /** Behind those that there are. */
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

/**
 * Changes uploads, all or none; ids that are not the account's are passed over. One transaction. The same change a second
 * time changes nothing, but its answer is another one: only who does not need that may run it again.
 * @returns how many really changed; undefined where one would have too many tags
 * @throws ConstraintError `foreign-key` for a folder that is not there
 */
export async function updateUploads(
  db: Db,
  accountId: string,
  ids: readonly string[],
  change: UploadChange,
): Promise<number | undefined> {
  const own = ownIds(accountId, ids);
  const tags = changedTags(change);
  const { folderId, favorite } = change;
  if (folderId === undefined && favorite === undefined && tags === undefined) return 0;
  const differs = or(
    folderId === undefined ? undefined : sql`${uploads.folderId} IS NOT ${folderId}`,
    favorite === undefined ? undefined : sql`${uploads.favorite} <> ${favorite ? 1 : 0}`,
    tags === undefined ? undefined : sql`${uploads.tags} <> ${tags}`,
  );
  const tooMany = db
    .select({ count: count() })
    .from(uploads)
    .where(and(own, tags === undefined ? sql`false` : sql`json_array_length(${tags}) > ${MAX_TAGS}`));
  const update = db
    .update(uploads)
    .set({
      ...(folderId === undefined ? {} : { folderId }),
      ...(favorite === undefined ? {} : { favorite }),
      ...(tags === undefined ? {} : { tags }),
    })
    .where(and(own, differs, sql`${tooMany} = 0`))
    .returning({ id: uploads.id });
  const [full, changed] = await db.batch([tooMany, update]);
  return (full[0]?.count ?? 0) > 0 ? undefined : changed.length;
}

function changedTags({ tags, addTags = [], removeTags = [] }: UploadChange): SQL<string[]> | undefined {
  if (tags !== undefined) return sql`${JSON.stringify(tags)}`;
  if (addTags.length + removeTags.length === 0) return undefined;
  const [added, removed] = [addTags, removeTags].map((list) => sql`json_each(${JSON.stringify(list)})`);
  return sql`(SELECT json_group_array(value ORDER BY added, key) FROM (
    SELECT 0 AS added, key, value FROM json_each(${uploads.tags}) WHERE value NOT IN (SELECT value FROM ${removed})
    UNION ALL SELECT 1, key, value FROM ${added} WHERE value NOT IN (SELECT value FROM json_each(${uploads.tags}))
  ))`;
}
