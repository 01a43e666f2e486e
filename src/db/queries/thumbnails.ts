import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "../client.ts";
import { type Upload, uploads } from "../schema.ts";

/** What is known of a video once its thumbnail was made. */
export type ThumbnailFacts = Partial<
  Pick<Upload, "width" | "height" | "durationMs" | "thumbnailSizeBytes" | "thumbnailError">
>;

/** @returns false where there is no such upload any more */
export async function updateThumbnail(
  db: Db,
  accountId: string,
  uploadId: string,
  facts: ThumbnailFacts,
): Promise<boolean> {
  const { meta } = await db
    .update(uploads)
    .set(facts)
    .where(and(eq(uploads.accountId, accountId), eq(uploads.id, uploadId)));
  return meta.changes > 0;
}

/** Says why a video will have no thumbnail, unless it has one, or that was said before. */
export async function markThumbnailFailed(
  db: Db,
  accountId: string,
  uploadId: string,
  thumbnailError: string,
): Promise<void> {
  await db
    .update(uploads)
    .set({ thumbnailError })
    .where(
      and(
        eq(uploads.accountId, accountId),
        eq(uploads.id, uploadId),
        isNull(uploads.thumbnailSizeBytes),
        isNull(uploads.thumbnailError),
      ),
    );
}
