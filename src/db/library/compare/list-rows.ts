import { and, eq, sql } from "drizzle-orm";
import { UPLOAD_STATUSES } from "../../../domain/upload-status.ts";
import type { Library } from "../library.ts";
import { ownIds } from "../own-ids.ts";
import { type Upload, uploads } from "../schema.ts";
import { numberAt, uploadColumns } from "../uploads.ts";

/** The fields of an upload's row that are compared with other stores and tables. */
export interface ComparedRow
  extends Pick<
    Upload,
    "id" | "objectKey" | "visibility" | "sizeBytes" | "createdAt" | "thumbnailSizeBytes" | "takedown" | "expiresAt"
  > {
  readonly isSearchable: boolean;
  /** Whether every tag is in both tag tables. */
  readonly isTagged: boolean;
}

const isSearchable = sql<number>`EXISTS (SELECT 1 FROM upload_search WHERE rowid = ${uploads.number})`;
/** Columns are qualified: in a subquery a bare name would be the subquery's own column. */
const isTagged = sql<number>`NOT EXISTS (
  SELECT 1 FROM json_each(uploads.tags) AS tag
  WHERE NOT EXISTS (
    SELECT 1 FROM upload_tags AS entry
    WHERE entry.account_id = uploads.account_id AND entry.status = uploads.status AND entry.tag = tag.value AND entry.number = uploads.number
  ) OR NOT EXISTS (
    SELECT 1 FROM folder_tags AS entry
    WHERE entry.account_id = uploads.account_id AND entry.folder_id = ifnull(uploads.folder_id, '') AND entry.status = uploads.status
      AND entry.tag = tag.value AND entry.number = uploads.number
  )
)`;

/**
 * Lists an account's uploads of this time range, at most `limit` of each status.
 * @param beforeAt null: no upper bound
 * @returns `endAt`: there may be more uploads from this time on; null if the list is complete
 */
export async function listComparedRows(
  db: Library,
  accountId: string,
  { fromAt, beforeAt, limit }: { readonly fromAt: number; readonly beforeAt: number | null; readonly limit: number },
): Promise<{ readonly rows: ComparedRow[]; readonly endAt: number | null }> {
  const { id, objectKey, visibility, sizeBytes, createdAt, thumbnailSizeBytes, takedown, expiresAt } = uploads;
  const pages = await Promise.all(
    UPLOAD_STATUSES.map((status) =>
      db
        .select({
          id,
          objectKey,
          visibility,
          sizeBytes,
          createdAt,
          thumbnailSizeBytes,
          takedown,
          expiresAt,
          isSearchable,
          isTagged,
        })
        .from(uploads)
        .where(
          and(
            eq(uploads.accountId, accountId),
            eq(uploads.status, status),
            sql`${uploads.number} >= ${numberAt(fromAt)}`,
            beforeAt === null ? undefined : sql`${uploads.number} < ${numberAt(beforeAt)}`,
          ),
        )
        .orderBy(uploads.number)
        .limit(limit)
        .all(),
    ),
  );
  const ends = pages.flatMap((rows) => (rows.length < limit ? [] : [rows.at(-1)?.createdAt ?? fromAt]));
  return {
    rows: pages.flat().map((row) => ({ ...row, isSearchable: row.isSearchable === 1, isTagged: row.isTagged === 1 })),
    endAt: ends.length === 0 ? null : Math.min(...ends),
  };
}

/** Finds an account's uploads by ids; unknown ids are skipped. */
export async function findUploads(db: Library, accountId: string, ids: readonly string[]): Promise<Upload[]> {
  if (ids.length === 0) return [];
  return db.select(uploadColumns).from(uploads).where(ownIds(accountId, ids)).all();
}
