import { replaceContent, writeSearchEntry } from "../../db/library/replace-content.ts";
import type { Upload } from "../../db/library/schema.ts";
import { findUpload } from "../../db/library/uploads.ts";
import { actorOfKey } from "../../domain/file-history.ts";
import { isVideo } from "../../domain/media-types.ts";
import { everyKey, keyAs, movedKey, thumbnailKey, versionOf } from "../../domain/object-key.ts";
import { otherThan } from "../../domain/visibility.ts";
import type { AccountStores } from "./account-stores.ts";
import { copyObject } from "./copy-object.ts";
import type { ReplaceIntent } from "./intent.ts";
import { removeMade } from "./remove-made.ts";

/**
 * Gives a file its new bytes, which are stored already. It changes the row, writes the object that redirects earlier URLs, and removes the
 * former bytes with their thumbnail, preview and variants. Each step can be repeated. After a newer replacement it removes the remains of this
 * one.
 * @returns whether the file has got the bytes; false if the upload or the new bytes are gone
 */
export async function performReplacement(intent: ReplaceIntent, stores: AccountStores): Promise<boolean> {
  const { accountId, library } = stores;
  const { uploadId, from, to, isAgain = false } = intent;
  const former = await findUpload(library, accountId, uploadId);
  if (former === undefined) {
    await removeReplaced(intent, stores);
    return false;
  }
  if (former.objectKey === from.objectKey) {
    if (!(await bring(to.objectKey, former, stores))) {
      await removeBytes(to.objectKey, stores);
      return false;
    }
    await replaceContent(library, former, to, { by: actorOfKey(intent.keyId), at: stores.now });
  }
  const row = await findUpload(library, accountId, uploadId);
  if (row === undefined) {
    await removeReplaced(intent, stores);
    return true;
  }
  await writeSearchEntry(library, row);
  // The second pass reads first, because a read costs a twelfth of a write.
  if (!isAgain || (await readPointer(uploadId, stores)) !== row.objectKey)
    await stores.files.put(movedKey(accountId, uploadId), row.objectKey);
  for (const { objectKey } of [from, to]) if (objectKey !== row.objectKey) await removeBytes(objectKey, stores);
  await leaveOtherPlace(row, stores);
  if (!isAgain) await announce(row, stores);
  return true;
}

/** The path to which earlier URLs of an upload lead. */
export async function readPointer(
  uploadId: string,
  { accountId, files }: Pick<AccountStores, "accountId" | "files">,
): Promise<string | undefined> {
  return (await files.get(movedKey(accountId, uploadId)))?.text();
}

/** Removes all objects of a replacement whose upload was deleted. Idempotent. */
export async function removeReplaced(
  { uploadId, from, to }: Pick<ReplaceIntent, "uploadId" | "from" | "to">,
  stores: AccountStores,
): Promise<void> {
  await stores.files.delete(movedKey(stores.accountId, uploadId));
  for (const { objectKey } of [from, to]) await removeBytes(objectKey, stores);
}

/** The visibility may have changed since the bytes were stored. @returns whether they are at the key of the row's visibility */
async function bring(path: string, { visibility }: Upload, { files }: AccountStores): Promise<boolean> {
  const key = keyAs(path, visibility);
  return (await files.head(key)) !== null || copyObject(files, keyAs(path, otherThan(visibility)), key);
}

/** Removes the copy at the key of the other visibility. */
async function leaveOtherPlace({ objectKey, visibility }: Upload, { files }: AccountStores): Promise<void> {
  const isHere = (await files.head(keyAs(objectKey, visibility))) !== null;
  if (isHere) await files.delete(keyAs(objectKey, otherThan(visibility)));
}

/** Removes bytes that no row has, with their thumbnail and preview. Their variants go last, as in a deletion. */
async function removeBytes(objectKey: string, stores: AccountStores): Promise<void> {
  const version = versionOf(objectKey);
  await stores.files.delete([objectKey, thumbnailKey(stores.accountId, version)].flatMap(everyKey));
  await removeMade(version, stores);
}

/** Sends the messages of an upload, as for a new one. */
async function announce(
  { id: uploadId, objectKey, mimeType, placeholder }: Upload,
  { accountId, uploadEvents, moderation }: AccountStores,
): Promise<void> {
  if (isVideo(mimeType) || placeholder === null)
    await uploadEvents.send({ type: "upload.stored", accountId, uploadId, objectKey, mimeType });
  if (!isVideo(mimeType)) await moderation?.send({ type: "moderation.requested", accountId, uploadId });
}
