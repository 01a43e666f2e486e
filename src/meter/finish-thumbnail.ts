import { recordThumbnail } from "../db/library/thumbnails.ts";
import { findUpload } from "../db/library/uploads.ts";
import { thumbnailKey } from "../domain/object-key.ts";
import { readFactsMetadata } from "../domain/video-facts.ts";
import type { IntentStores } from "./intent-stores.ts";

/** The bytes of a video's thumbnail; 0 where it has none, undefined where the video itself is gone. */
export type ThumbnailBytes = number | undefined;

/**
 * Makes the catalogue say of a video's thumbnail what R2 holds, whoever put it there and however far that maker came. The thumbnail of a
 * video that is gone is removed. Performed again it changes nothing.
 */
export async function finishThumbnail(uploadId: string, stores: IntentStores): Promise<ThumbnailBytes> {
  const { accountId, library, files } = stores;
  const key = thumbnailKey(accountId, uploadId);
  const video = { accountId, id: uploadId };
  const object = await files.head(key);
  if (object === null) return finishMissing(video, stores);
  if (await recordThumbnail(library, video, object.size, readFactsMetadata(object.customMetadata))) return object.size;
  await files.delete(key);
  return undefined;
}

/** A video that never had a thumbnail costs no write. */
async function finishMissing(
  { accountId, id }: { readonly accountId: string; readonly id: string },
  { library }: IntentStores,
): Promise<ThumbnailBytes> {
  const row = await findUpload(library, accountId, id);
  if (row === undefined) return undefined;
  if (row.thumbnailSizeBytes !== null) await recordThumbnail(library, { accountId, id }, null, {});
  return 0;
}
