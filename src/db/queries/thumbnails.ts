import { and, eq } from "drizzle-orm";
import type { Db } from "../client.ts";
import { type Upload, uploads } from "../schema.ts";

/** What is known of a video once its thumbnail was made. */
export type ThumbnailFacts = Pick<Upload, "thumbnailSizeBytes" | "thumbnailError"> &
  Partial<Pick<Upload, "width" | "height" | "durationMs">>;

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
