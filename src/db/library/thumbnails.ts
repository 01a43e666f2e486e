import { and, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { VideoFacts } from "../../domain/video-facts.ts";
import type { Library } from "./library.ts";
import { ownIds } from "./own-ids.ts";
import { type Upload, uploads } from "./schema.ts";

/** A video that has no thumbnail, with what a message about it needs. */
export type VideoWithoutThumbnail = Pick<Upload, "id" | "objectKey" | "mimeType" | "thumbnailError">;

/**
 * Records a thumbnail and what is known of its video, in one write.
 * @param sizeBytes null where there is no thumbnail any more
 * @returns false where there is no such upload any more
 */
export async function recordThumbnail(
  db: Library,
  { accountId, id }: Pick<Upload, "accountId" | "id">,
  sizeBytes: number | null,
  facts: Partial<VideoFacts>,
): Promise<boolean> {
  const verdict = sizeBytes === null ? {} : { thumbnailError: null };
  const change = { ...facts, ...verdict, thumbnailSizeBytes: sizeBytes };
  const { meta } = await db.idempotent(() => db.update(uploads).set(change).where(ownUpload(accountId, id)).run());
  return meta.changes > 0;
}

/** Records why a video will have no thumbnail, unless it has one, or a reason was recorded before. */
export async function recordThumbnailError(
  db: Library,
  { accountId, id }: Pick<Upload, "accountId" | "id">,
  thumbnailError: string,
  facts: Partial<VideoFacts> = {},
): Promise<void> {
  const undecided = and(ownUpload(accountId, id), isNull(uploads.thumbnailSizeBytes), isNull(uploads.thumbnailError));
  await db.idempotent(() =>
    db
      .update(uploads)
      .set({ ...facts, thumbnailError })
      .where(undecided)
      .run(),
  );
}

/** Makes videos undecided again whose thumbnail was said to be impossible. */
export async function clearThumbnailErrors(db: Library, accountId: string, ids: readonly string[]): Promise<void> {
  const failed = and(ownIds(accountId, ids), isNull(uploads.thumbnailSizeBytes));
  await db.idempotent(() => db.update(uploads).set({ thumbnailError: null }).where(failed).run());
}

export interface MissingThumbnails {
  readonly afterId: string;
  readonly types: readonly string[];
  readonly limit: number;
  /** Those alone for which there is a reason. */
  readonly failedOnly?: boolean;
}

/** An account's videos without a thumbnail, whether or not there is a reason for it, in the order of their ids. */
export async function listVideosWithoutThumbnail(
  db: Library,
  accountId: string,
  { afterId, types, limit, failedOnly = false }: MissingThumbnails,
): Promise<VideoWithoutThumbnail[]> {
  const { id, objectKey, mimeType, thumbnailError } = uploads;
  // The plus has SQLite walk the account's videos by their type, and not everybody's uploads by their id.
  const unindexedId: SQL<string> = sql`+${id}`;
  return db
    .select({ id, objectKey, mimeType, thumbnailError })
    .from(uploads)
    .where(
      and(
        eq(uploads.accountId, accountId),
        inArray(uploads.status, ["active", "trash"]),
        inArray(mimeType, [...types]),
        isNull(uploads.thumbnailSizeBytes),
        failedOnly ? isNotNull(thumbnailError) : undefined,
        gt(unindexedId, afterId),
      ),
    )
    .orderBy(unindexedId)
    .limit(limit)
    .all();
}

function ownUpload(accountId: string, id: string): SQL | undefined {
  return and(eq(uploads.accountId, accountId), eq(uploads.id, id));
}
