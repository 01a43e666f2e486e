import { or, type SQL, sql } from "drizzle-orm";
import { MAX_TAGS } from "../../domain/tags.ts";
import { changeUploads, type DueChange } from "./change-uploads.ts";
import type { Library } from "./library.ts";
import { uploads } from "./schema.ts";

export interface UploadChange {
  readonly folderId?: string | null | undefined;
  readonly favorite?: boolean | undefined;
  /** Replaces all tags. */
  readonly tags?: readonly string[] | undefined;
  /** Appended to the existing tags. */
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

/** Uploads outside this folder and its descendants are skipped. */
type Within = Pick<DueChange, "within">;

/**
 * Changes uploads, all or none, in one transaction. Ids of other accounts are skipped.
 * @returns the number of uploads that really changed; undefined if one would have too many tags
 * @throws ConstraintError `foreign-key` if the folder does not exist
 */
export async function updateUploads(
  db: Library,
  accountId: string,
  ids: readonly string[],
  change: UploadChange,
  { within }: Within = {},
): Promise<number | undefined> {
  const tags = changedTags(change);
  const { folderId, favorite } = change;
  const isDue = or(
    folderId === undefined ? undefined : sql`${uploads.folderId} IS NOT ${folderId}`,
    favorite === undefined ? undefined : sql`${uploads.favorite} <> ${favorite ? 1 : 0}`,
    tags === undefined ? undefined : sql`${uploads.tags} <> ${tags}`,
  );
  if (isDue === undefined) return 0;
  return changeUploads(db, accountId, ids, {
    set: {
      ...(folderId === undefined ? {} : { folderId }),
      ...(favorite === undefined ? {} : { favorite }),
      ...(tags === undefined ? {} : { tags }),
    },
    isDue,
    within,
    isRefused: tags === undefined ? undefined : sql`json_array_length(${tags}) > ${MAX_TAGS}`,
  });
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
