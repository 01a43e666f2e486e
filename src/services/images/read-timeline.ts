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
 * How many uploads a listing has of each month or day, newest first, from the counts that the library keeps.
 * @throws ServiceError 404 for a folder that the account does not have
 */
export async function readTimeline(
  { library, accountId }: AccountContext,
  { status, folderId, by }: TimelineQuery,
): Promise<{ readonly total: number; readonly buckets: readonly TimeBucket[] }> {
  const place = { accountId, folderId: readListFolder(folderId, { status }) };
  const buckets = await selectTimeline(library, place, status, by);
  if (buckets === undefined) throw ERRORS.FolderNotFound();
  return { total: buckets.reduce((sum, { count }) => sum + count, 0), buckets };
}
