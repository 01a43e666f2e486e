import { findUpload } from "../../db/library/uploads.ts";
import { setVisibility } from "../../db/library/visibility.ts";
import { isVideo } from "../../domain/media-types.ts";
import { everyKey, keyAs, thumbnailKey, versionOf } from "../../domain/object-key.ts";
import { otherThan } from "../../domain/visibility.ts";
import type { AccountStores } from "./account-stores.ts";
import { copyObject } from "./copy-object.ts";
import type { SetVisibilityIntent } from "./intent.ts";
import { removeMade, removeVariants } from "./remove-made.ts";

/**
 * Moves a file and its thumbnail to the keys of another visibility: copies, then the row, then the old objects. Variants are removed last: a
 * request that makes one looks for the file afterwards, and must not find it. Each step can be repeated.
 */
export async function performVisibility(
  { uploadId, visibility }: Pick<SetVisibilityIntent, "uploadId" | "visibility">,
  stores: AccountStores,
): Promise<void> {
  const { accountId, library, files } = stores;
  const row = await findUpload(library, accountId, uploadId);
  if (row === undefined) return;
  const former = otherThan(visibility);
  const version = versionOf(row.objectKey);
  const paths = [row.objectKey, ...(isVideo(row.mimeType) ? [thumbnailKey(accountId, version)] : [])];
  for (const path of paths) await bring(path, row.visibility === visibility, visibility, files);
  if (row.visibility !== visibility) await setVisibility(library, row, visibility);
  await files.delete(paths.map((path) => keyAs(path, former)));
  await removeVariants(version, former, stores);
}

/**
 * Copies an object to the key of its new visibility, unless an earlier try has moved it.
 * @param isMoved whether the row has the new visibility: the copy was complete then, and may be newer than a former object that was
 * written late
 */
async function bring(
  path: string,
  isMoved: boolean,
  visibility: SetVisibilityIntent["visibility"],
  files: R2Bucket,
): Promise<void> {
  const key = keyAs(path, visibility);
  const former = keyAs(path, otherThan(visibility));
  if (isMoved && ((await files.head(former)) === null || (await files.head(key)) !== null)) return;
  await copyObject(files, former, key);
}

/** Removes the objects that a change of visibility wrote while, or after, its upload was deleted. */
export async function removeMoved(
  { objectKey }: Pick<SetVisibilityIntent, "objectKey">,
  stores: AccountStores,
): Promise<void> {
  const version = versionOf(objectKey);
  await stores.files.delete([objectKey, thumbnailKey(stores.accountId, version)].flatMap(everyKey));
  await removeMade(version, stores);
}
