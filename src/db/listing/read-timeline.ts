import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Library } from "../library/library.ts";
import { uploadCounts } from "../library/schema.ts";
import { findFolder } from "./find-folder.ts";
import { countedFolder, statusesOf } from "./read-counts.ts";
import type { UploadFilter } from "./upload-filter.ts";
import type { WalkPlace } from "./walk-sql.ts";

export type TimeUnit = "month" | "day";

export interface TimeBucket {
  /** YYYY-MM or YYYY-MM-DD, UTC. */
  readonly key: string;
  readonly count: number;
}

/** The number of leading characters of YYYY-MM-DD that the unit uses. */
const KEY_LENGTH: Readonly<Record<TimeUnit, number>> = { month: 7, day: 10 };

/**
 * Counts a place's uploads for each month or day, newest first, without empty ones. It reads one row of `upload_counts` for each day and
 * status. Uploads have the server's time, so there are at most as many rows as days.
 * @returns undefined if the folder does not exist
 */
export async function selectTimeline(
  library: Library,
  place: WalkPlace,
  status: UploadFilter["status"],
  unit: TimeUnit,
): Promise<TimeBucket[] | undefined> {
  const { accountId, folderId } = place;
  const key = sql<string>`substr(${uploadCounts.value}, 1, ${sql.raw(String(KEY_LENGTH[unit]))})`;
  const select = library
    .select({ key: key.as("key"), count: sql<number>`sum(${uploadCounts.count})` })
    .from(uploadCounts)
    .where(
      and(
        eq(uploadCounts.accountId, accountId),
        eq(uploadCounts.folderId, countedFolder(folderId)),
        eq(uploadCounts.facet, "day"),
        inArray(uploadCounts.status, statusesOf(status)),
      ),
    )
    .groupBy(sql`key`)
    .orderBy(desc(sql`key`));
  const [found, buckets] = await library.idempotent(() => library.batch([findFolder(library, place), select]));
  return typeof folderId === "string" && found.length === 0 ? undefined : buckets;
}
