import { changePassword, changeSettings, changeTier, replaceUploadKey } from "../db/directory/account-changes.ts";
import { markKeyRevoked } from "../db/directory/keys.ts";
import { deleteTreeStep } from "../db/library/folders.ts";
import type { Upload } from "../db/library/schema.ts";
import { deleteMovedUpload, deleteUpload, findUpload } from "../db/library/uploads.ts";
import { homeShard } from "../domain/ids.ts";
import { isVideo } from "../domain/media-types.ts";
import { previewKey, thumbnailKey } from "../domain/object-key.ts";
import { abortMultipartUpload } from "./abort-multipart-upload.ts";
import { eraseSome } from "./erase-account.ts";
import {
  type DeleteIntent,
  type Intent,
  type MoveIntent,
  type RegisterIntent,
  type SweepIntent,
  type ThumbnailIntent,
  toSweep,
  type UploadIntent,
} from "./intent.ts";
import { type IntentEffect, type IntentStores, letOthersIn, NO_EFFECT, STEP_UPLOADS } from "./intent-stores.ts";
import { deleteOperationId, type UncountedOperation, type UploadRow, uploadOperationId } from "./operation-log.ts";

const STEPS_PER_PASS = 20;

/**
 * Carries an intent out in D1 and R2, or undoes it: an upload whose row exists is kept, one without a row is removed.
 * Every step is idempotent, so that it can be performed again after a crash between any two of them.
 */
export async function performIntent(
  intent: Exclude<Intent, ThumbnailIntent | MoveIntent | RegisterIntent>,
  stores: IntentStores,
): Promise<IntentEffect> {
  const { accountId, directory, now } = stores;
  switch (intent.kind) {
    case "upload":
      return finishUpload(intent, stores);
    case "delete":
      await removeUpload(intent.uploadId, [intent.objectKey], stores);
      return { storageBytes: -intent.sizeBytes, operation: deleteOperation(intent), done: true };
    case "sweep":
      await removeUnfinished(intent, stores);
      return NO_EFFECT;
    case "delete-folder":
      return { ...NO_EFFECT, done: await deleteSomeOfFolder(intent.folderId, stores) };
    case "revoke-key":
      await markKeyRevoked(directory, accountId, intent.keyId, now);
      return NO_EFFECT;
    case "replace-upload-key":
      await replaceUploadKey(directory, { ...intent, accountId }, intent.key, now);
      return NO_EFFECT;
    case "set-tier": {
      const { tier, billingAnchorAt, uploadKey } = intent;
      await changeTier(directory, { ...intent, accountId }, { tier, billingAnchorAt }, uploadKey);
      return NO_EFFECT;
    }
    case "set-password":
      await changePassword(directory, { ...intent, accountId }, intent.passwordHash);
      return NO_EFFECT;
    case "set-settings":
      await changeSettings(directory, { ...intent, accountId }, intent.settings);
      return NO_EFFECT;
    case "erase":
      return eraseSome(stores);
  }
}

/** The operation that a stored upload counts as; its id makes a second settling count nothing. */
export function uploadOperation({ uploadId, keyId }: UploadIntent, row?: UploadRow): UncountedOperation {
  return { id: uploadOperationId(uploadId), type: "upload", resourceId: uploadId, keyId, row };
}

/** What the log keeps of a row: the log is the account's. */
export function toLoggedRow({ accountId: _, ...row }: Upload): UploadRow {
  return row;
}

function deleteOperation({ uploadId, keyId }: DeleteIntent): UncountedOperation {
  return { id: deleteOperationId(uploadId), type: "delete", resourceId: uploadId, keyId };
}

/** Removes an upload for good: row, files, thumbnail and preview. Performed again it changes nothing. */
export async function removeUpload(
  uploadId: string,
  objectKeys: readonly string[],
  stores: IntentStores,
): Promise<void> {
  const { accountId, library, files } = stores;
  await deleteUpload(library, accountId, uploadId);
  await forgetHome(uploadId, stores);
  await files.delete([...objectKeys, thumbnailKey(accountId, uploadId)]);
  // Last, and not in the same call: whoever makes one meanwhile looks for the file behind it, and must not find it any more.
  await files.delete(previewKey(accountId, uploadId));
}

/** An upload whose library has moved since it was made is still known where that was; while it is just leaving, this waits. */
async function forgetHome(uploadId: string, { accountId, shard, libraries }: IntentStores): Promise<void> {
  const home = homeShard(uploadId);
  if (home === undefined || home === shard || !libraries.shards.includes(home)) return;
  await deleteMovedUpload(
    libraries.open(home, async () => home),
    accountId,
    uploadId,
  );
}

async function finishUpload(intent: UploadIntent, stores: IntentStores): Promise<IntentEffect> {
  const { accountId, library, files } = stores;
  const row = await findUpload(library, accountId, intent.uploadId);
  // A row that came while its object was being removed has none.
  if (row === undefined || (await files.head(row.objectKey)) === null) {
    await removeUnfinished(toSweep(intent), stores);
    return NO_EFFECT;
  }
  // Of an original and its compressed form, the one that the row does not name is nobody's.
  const unnamed = toSweep(intent).objectKeys.filter((key) => key !== row.objectKey);
  if (unnamed.length > 0) await files.delete(unnamed);
  if (isVideo(row.mimeType)) {
    // Sent before an upload is settled, so the crash may have come before the message; a second one does no harm.
    await stores.uploadEvents.send({
      type: "upload.stored",
      accountId,
      uploadId: row.id,
      objectKey: row.objectKey,
      mimeType: row.mimeType,
    });
  }
  return { storageBytes: row.sizeBytes, operation: uploadOperation(intent, toLoggedRow(row)), done: true };
}

/** Removes what a request has left of an upload that is not to be. */
async function removeUnfinished(
  { uploadId, objectKeys, multipartUploadId }: SweepIntent,
  stores: IntentStores,
): Promise<void> {
  const [objectKey] = objectKeys;
  if (objectKey !== undefined && multipartUploadId !== undefined) {
    await abortMultipartUpload(stores.files, objectKey, multipartUploadId);
  }
  await removeUpload(uploadId, objectKeys, stores);
}

/** One bounded pass of deleting a folder; true when nothing of it is left. */
async function deleteSomeOfFolder(folderId: string, { accountId, library }: IntentStores): Promise<boolean> {
  for (let step = 0; step < STEPS_PER_PASS; step++) {
    if (await deleteTreeStep(library, accountId, folderId, STEP_UPLOADS)) return true;
    await letOthersIn();
  }
  return false;
}
