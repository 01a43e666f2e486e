import { and, eq, gt, inArray, isNotNull, isNull, notInArray, or, type SQL, sql } from "drizzle-orm";
import { NO_THUMBNAIL_REASONS } from "../../domain/no-thumbnail.ts";
import { fileKey } from "../../domain/object-key.ts";
import type { VideoFacts } from "../../domain/video-facts.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Library } from "./library.ts";
import { ownIds } from "./own-ids.ts";
import { type Upload, uploads } from "./schema.ts";

/** A video without a thumbnail, with the fields of its queue message. */
export type VideoWithoutThumbnail = Pick<Upload, "id" | "objectKey" | "mimeType" | "thumbnailError">;

/** The bytes of a video: its id and the version of its key (`versionOf`). */
export interface VideoBytes extends Pick<Upload, "accountId" | "id"> {
  readonly version: string;
}

/**
 * Records a thumbnail, its placeholder and the facts of its video in one write.
 * @param sizeBytes null if the thumbnail was deleted
 * @returns the upload's visibility; undefined if the upload does not exist any more, or its bytes were replaced since
 */
export async function recordThumbnail(
  db: Library,
  video: VideoBytes,
  sizeBytes: number | null,
  facts: Partial<VideoFacts & Pick<Upload, "placeholder">>,
): Promise<Visibility | undefined> {
  const verdict = sizeBytes === null ? {} : { thumbnailError: null };
  const change = { ...facts, ...verdict, thumbnailSizeBytes: sizeBytes };
  const { visibility } = uploads;
  const changed = await db.idempotent(() =>
    db.update(uploads).set(change).where(withBytes(video)).returning({ visibility }).get(),
  );
  return changed?.visibility;
}

/** Records why a video will have no thumbnail, unless the row has a thumbnail or a reason already, or the bytes were replaced since. */
export async function recordThumbnailError(
  db: Library,
  video: VideoBytes,
  thumbnailError: string,
  facts: Partial<VideoFacts> = {},
): Promise<void> {
  const undecided = and(withBytes(video), isNull(uploads.thumbnailSizeBytes), isNull(uploads.thumbnailError));
  await db.idempotent(() =>
    db
      .update(uploads)
      .set({ ...facts, thumbnailError })
      .where(undecided)
      .run(),
  );
}

/** Clears the reasons why these videos have no thumbnail, so that they are pending again. */
export async function clearThumbnailErrors(db: Library, accountId: string, ids: readonly string[]): Promise<void> {
  const failed = and(ownIds(accountId, ids), isNull(uploads.thumbnailSizeBytes));
  await db.idempotent(() => db.update(uploads).set({ thumbnailError: null }).where(failed).run());
}

export interface MissingThumbnails {
  readonly afterId: string;
  readonly types: readonly string[];
  readonly limit: number;
  /** Only videos whose thumbnail failed. */
  readonly failedOnly?: boolean;
}

/** Lists an account's videos whose thumbnail is pending or failed, in the order of their ids. Files without a picture are left out. */
export async function listVideosWithoutThumbnail(
  db: Library,
  accountId: string,
  { afterId, types, limit, failedOnly = false }: MissingThumbnails,
): Promise<VideoWithoutThumbnail[]> {
  const { id, objectKey, mimeType, thumbnailError } = uploads;
  // The plus makes SQLite walk the account's videos by type instead of all accounts' uploads by id.
  const unindexedId: SQL<string> = sql`+${id}`;
  const isFailure = and(isNotNull(thumbnailError), notInArray(thumbnailError, [...NO_THUMBNAIL_REASONS]));
  return db
    .select({ id, objectKey, mimeType, thumbnailError })
    .from(uploads)
    .where(
      and(
        eq(uploads.accountId, accountId),
        inArray(uploads.status, ["active", "trash"]),
        inArray(mimeType, [...types]),
        isNull(uploads.thumbnailSizeBytes),
        or(failedOnly ? undefined : isNull(thumbnailError), isFailure),
        gt(unindexedId, afterId),
      ),
    )
    .orderBy(unindexedId)
    .limit(limit)
    .all();
}

function withBytes({ accountId, id, version }: VideoBytes): SQL | undefined {
  const prefix = fileKey(accountId, version, "");
  const hasThem = sql`substr(${uploads.objectKey}, 1, ${prefix.length}) = ${prefix}`;
  return and(eq(uploads.accountId, accountId), eq(uploads.id, id), hasThem);
}
