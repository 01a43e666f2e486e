import { selectTimeline, type TimeBucket, type TimeUnit } from "../../db/listing/read-timeline.ts";
import type { UploadFilter } from "../../db/listing/upload-filter.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext } from "../context.ts";
import { readListFolder } from "./list-folder.ts";

export interface TimelineQuery {
  readonly status: UploadFilter["status"];
  /** A folder's id, `root` or `all`, as in a listing. */
  readonly folderId?: string | undefined;
  readonly by: TimeUnit;
}

/**
 * Uploads of a listing by month or day, newest first (LIST-6), from the counts in the library.
 * @throws ServiceError 404 for an unknown folder
 */
export async function readTimeline(
  account: AccountContext,
  { status, folderId, by }: TimelineQuery,
): Promise<{ readonly total: number; readonly buckets: readonly TimeBucket[] }> {
  const { library, accountId } = account;
  const place = { accountId, folderId: await readListFolder(account, folderId, { status }) };
  const buckets = await selectTimeline(library, place, status, by);
  if (buckets === undefined) throw ERRORS.FolderNotFound();
  return { total: buckets.reduce((sum, { count }) => sum + count, 0), buckets };
}
