import { or, type SQL, sql } from "drizzle-orm";
import type { ChangedBy } from "../../domain/file-history.ts";
import { MAX_TAGS } from "../../domain/tags.ts";
import type { UploadFacts } from "../../domain/upload-facts.ts";
import type { FocalPoint } from "../../domain/variants/focal-point.ts";
import { toGrams } from "../listing/search-grams.ts";
import { changeUploads, type DueChange } from "./change-uploads.ts";
import type { DueEntry } from "./file-history.ts";
import type { Library } from "./library.ts";
import { type Upload, uploads } from "./schema.ts";

export interface UploadChange {
  readonly folderId?: string | null | undefined;
  readonly favorite?: boolean | undefined;
  /** Replaces all tags. */
  readonly tags?: readonly string[] | undefined;
  /** Appended to the existing tags. */
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

/** A change of one upload. Absent and undefined fields stay. */
export interface UploadEdit extends Omit<UploadChange, "addTags" | "removeTags">, Partial<UploadFacts> {
  readonly originalFilename?: string | undefined;
  readonly focalPoint?: FocalPoint | null | undefined;
}

/**
 * Changes one upload, all fields or none.
 * @param upload the upload as it was read; its key never changes
 * @throws ConstraintError `foreign-key` if the folder does not exist, `unique` if another upload has the external id
 */
export async function editUpload(
  db: Library,
  { accountId, id, objectKey }: Pick<Upload, "accountId" | "id" | "objectKey">,
  { tags: given, ...edit }: UploadEdit,
  changedBy: ChangedBy,
  { within }: Within = {},
): Promise<void> {
  const tags = changedTags({ tags: given });
  const { folderId, originalFilename } = edit;
  const plain = Object.entries(edit).filter(([, value]) => value !== undefined);
  const isDue = or(
    ...plain.map(([name, value]) => sql`${uploads[name as keyof typeof edit]} IS NOT ${toSql(value)}`),
    tags === undefined ? undefined : sql`${uploads.tags} <> ${tags}`,
  );
  if (isDue === undefined) return;
  await changeUploads(db, accountId, [id], {
    set: { ...Object.fromEntries(plain), ...(tags === undefined ? {} : { tags }) },
    isDue,
    within,
    entries: toEntries({ folderId, originalFilename }, changedBy),
    grams: originalFilename === undefined ? undefined : toGrams(accountId, objectKey, originalFilename),
  });
}

/** The changes that the history lists, each for the uploads that it really changes. */
function toEntries(
  { folderId, originalFilename }: Pick<UploadEdit, "folderId" | "originalFilename">,
  { by, at }: ChangedBy,
): DueEntry[] {
  return [
    ...(folderId === undefined
      ? []
      : [{ change: ["moved", at, by, folderId] as const, isDue: sql`${uploads.folderId} IS NOT ${folderId}` }]),
    ...(originalFilename === undefined
      ? []
      : [
          {
            change: ["renamed", at, by] as const,
            isDue: sql`${uploads.originalFilename} IS NOT ${originalFilename}`,
          },
        ]),
  ];
}

/** SQLite has no booleans and no objects. */
function toSql(value: string | boolean | FocalPoint | null | undefined): string | number | null {
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return typeof value === "boolean" ? Number(value) : (value ?? null);
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
  changedBy: ChangedBy,
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
    entries: toEntries({ folderId }, changedBy),
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
