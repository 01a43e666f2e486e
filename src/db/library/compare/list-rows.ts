import { and, eq, sql } from "drizzle-orm";
import { UPLOAD_STATUSES } from "../../../domain/upload-status.ts";
import type { Library } from "../library.ts";
import { ownIds } from "../own-ids.ts";
import { type Upload, uploads } from "../schema.ts";
import { numberAt, uploadColumns } from "../uploads.ts";

/** Of an upload's row, what other stores and the tables beside it are compared with. */
export interface ComparedRow
  extends Pick<Upload, "id" | "objectKey" | "sizeBytes" | "createdAt" | "thumbnailSizeBytes"> {
  readonly isSearchable: boolean;
  /** Whether every tag is in both tables of tags. */
  readonly isTagged: boolean;
}

const isSearchable = sql<number>`EXISTS (SELECT 1 FROM upload_search WHERE rowid = ${uploads.number})`;
/** The table's name is before each column: in a subquery a bare one would be the subquery's own. */
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
 * An account's uploads that were made in this range of time, at most `limit` of each status.
 * @param beforeAt null: to the last one
 * @returns `endAt`: from this moment on there may be more; null where these are all
 */
export async function listComparedRows(
  db: Library,
  accountId: string,
  { fromAt, beforeAt, limit }: { readonly fromAt: number; readonly beforeAt: number | null; readonly limit: number },
): Promise<{ readonly rows: ComparedRow[]; readonly endAt: number | null }> {
  const { id, objectKey, sizeBytes, createdAt, thumbnailSizeBytes } = uploads;
  const pages = await Promise.all(
    UPLOAD_STATUSES.map((status) =>
      db
        .select({ id, objectKey, sizeBytes, createdAt, thumbnailSizeBytes, isSearchable, isTagged })
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

/** An account's uploads by their ids, those that there are. */
export async function findUploads(db: Library, accountId: string, ids: readonly string[]): Promise<Upload[]> {
  if (ids.length === 0) return [];
  return db.select(uploadColumns).from(uploads).where(ownIds(accountId, ids)).all();
}
