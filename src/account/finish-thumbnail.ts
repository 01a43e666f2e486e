import { updateThumbnail } from "../db/queries/thumbnails.ts";
import { thumbnailKey } from "../media/object-key.ts";
import type { IntentStores } from "./perform-intent.ts";

/** The bytes of a video's thumbnail; 0 where it has none, undefined where the video itself is gone. */
export type ThumbnailBytes = number | undefined;

/**
 * Makes the catalogue say of a video's thumbnail what R2 holds, whoever put it there and however far that maker came; one
 * whose video is gone is removed. Performed again it changes nothing.
 */
export async function finishThumbnail(
  uploadId: string,
  { accountId, db, files }: IntentStores,
): Promise<ThumbnailBytes> {
  const key = thumbnailKey(accountId, uploadId);
  const object = await files.head(key);
  const facts =
    object === null ? { thumbnailSizeBytes: null } : { thumbnailSizeBytes: object.size, thumbnailError: null };
  if (await updateThumbnail(db, accountId, uploadId, facts)) return object?.size ?? 0;
  await files.delete(key);
  return undefined;
}
