import {
  changeEmail,
  changePassword,
  changeSettings,
  changeTier,
  replaceUploadKey,
} from "../../db/directory/account-changes.ts";
import { findAccount } from "../../db/directory/accounts.ts";
import { markKeyRevoked } from "../../db/directory/keys.ts";
import { deleteTreeStep } from "../../db/library/folders.ts";
import { deleteTrashedUpload, deleteUpload, findUpload } from "../../db/library/uploads.ts";
import type { ChangedBy } from "../../domain/file-history.ts";
import { isVideo } from "../../domain/media-types.ts";
import { everyKey, keyAs, movedKey, parseObjectKey, storedKey, thumbnailKey } from "../../domain/object-key.ts";
import { deleteOperation, toLoggedRow, uploadOperation } from "../books/uploads-and-deletions.ts";
import { abortMultipartUpload } from "../resumable/abort-multipart-upload.ts";
import type { AccountStores } from "./account-stores.ts";
import { eraseSome } from "./erase-account.ts";
import {
  type Intent,
  type MoveIntent,
  type RegisterIntent,
  type ReplaceIntent,
  type SetExpiryIntent,
  type SetVisibilityIntent,
  type SweepIntent,
  type TakedownIntent,
  type ThumbnailIntent,
  toSweep,
  type UploadIntent,
} from "./intent.ts";
import { type IntentEffect, KEPT, NO_EFFECT } from "./intent-effect.ts";
import { removeMade } from "./remove-made.ts";
import { letOthersIn, STEP_UPLOADS } from "./steps.ts";
import { forgetAtHome, rememberAtHome } from "./upload-home.ts";
import { writeFileRules } from "./write-file-rules.ts";

const STEPS_PER_PASS = 20;

/**
 * Carries an intent out in D1 and R2, or undoes it: an upload with a row stays, an upload without a row is removed. Every step is
 * idempotent, so that it can be repeated after a crash between any two steps.
 */
export async function performIntent(
  intent: Exclude<
    Intent,
    | ThumbnailIntent
    | MoveIntent
    | RegisterIntent
    | TakedownIntent
    | SetExpiryIntent
    | SetVisibilityIntent
    | ReplaceIntent
  >,
  stores: AccountStores,
): Promise<IntentEffect> {
  const { accountId, directory, now } = stores;
  switch (intent.kind) {
    case "upload":
      return finishUpload(intent, stores);
    case "delete":
      if (intent.onlyFrom === undefined) await deleteUpload(stores.library, accountId, intent.uploadId);
      else if (!(await deleteTrashedUpload(stores.library, accountId, intent.uploadId))) return KEPT;
      await removeObjects(intent.uploadId, [intent.objectKey], stores);
      return { storageBytes: -intent.sizeBytes, operation: deleteOperation(intent), done: true };
    case "sweep":
      await removeUnfinished(intent, stores);
      return NO_EFFECT;
    case "delete-folder":
      return {
        ...NO_EFFECT,
        done: await deleteSomeOfFolder(intent.folderId, { by: intent.by ?? null, at: now }, stores),
      };
    case "revoke-key":
      await markKeyRevoked(directory, accountId, intent.keyId, now);
      return NO_EFFECT;
    case "replace-upload-key":
      await replaceUploadKey(directory, { ...intent, accountId }, intent.key, now);
      return NO_EFFECT;
    case "set-tier": {
      const { tier, billingAnchorAt, uploadKey, rules, changedAt } = intent;
      await changeTier(directory, { ...intent, accountId }, { tier, billingAnchorAt }, uploadKey);
      if (rules !== undefined) await writeFileRules(stores, { ...rules, changedAt });
      return NO_EFFECT;
    }
    case "set-password":
      await changePassword(directory, { ...intent, accountId }, intent.passwordHash);
      return NO_EFFECT;
    case "set-email": {
      await changeEmail(directory, { ...intent, accountId }, intent);
      const account = await findAccount(directory, accountId);
      return account === undefined ? NO_EFFECT : { ...NO_EFFECT, account };
    }
    case "set-settings":
      await changeSettings(directory, { ...intent, accountId }, intent.settings);
      return NO_EFFECT;
    case "set-file-rules":
      await writeFileRules(stores, { ...intent.rules, changedAt: intent.changedAt });
      return NO_EFFECT;
    case "erase":
      return eraseSome(stores);
  }
}

/**
 * Removes an upload permanently: row, files, thumbnails, previews, variants, and where earlier URLs lead. Idempotent.
 * @param objectKeys all paths that its files may have
 */
export async function removeUpload(
  uploadId: string,
  objectKeys: readonly string[],
  stores: AccountStores,
): Promise<void> {
  await deleteUpload(stores.library, stores.accountId, uploadId);
  await removeObjects(uploadId, objectKeys, stores);
}

/** Removes the objects of an upload whose row is deleted. */
async function removeObjects(uploadId: string, objectKeys: readonly string[], stores: AccountStores): Promise<void> {
  const { accountId, files } = stores;
  await forgetAtHome(uploadId, stores);
  const named = objectKeys.map((key) => parseObjectKey(key)?.version ?? uploadId);
  const versions = new Set(named.length === 0 ? [uploadId] : named);
  const thumbnails = [...versions].map((version) => thumbnailKey(accountId, version));
  await files.delete([...[...objectKeys, ...thumbnails].flatMap(everyKey), movedKey(accountId, uploadId)]);
  // Previews and variants are removed last: a request that makes one checks the file afterwards, and must not find it.
  for (const version of versions) await removeMade(version, stores);
}

async function finishUpload(intent: UploadIntent, stores: AccountStores): Promise<IntentEffect> {
  const { accountId, library, files } = stores;
  const row = await findUpload(library, accountId, intent.uploadId);
  // A row that was written while its object was being removed has no object.
  if (row === undefined || (await files.head(storedKey(row))) === null) {
    await removeUnfinished(toSweep(intent), stores);
    return NO_EFFECT;
  }
  // The row names either the original or its compressed form, and its visibility. Other objects are deleted.
  const unnamed = toSweep(intent)
    .objectKeys.flatMap(everyKey)
    .filter((key) => key !== storedKey(row));
  await files.delete(unnamed);
  await rememberAtHome(row.id, stores);
  if (isVideo(row.mimeType) || row.placeholder === null) {
    // The message is sent before an upload is settled, so a crash may have prevented it. A second message does no harm.
    await stores.uploadEvents.send({
      type: "upload.stored",
      accountId,
      uploadId: row.id,
      objectKey: row.objectKey,
      mimeType: row.mimeType,
    });
  }
  if (!isVideo(row.mimeType)) {
    await stores.moderation?.send({ type: "moderation.requested", accountId, uploadId: row.id });
  }
  return { storageBytes: row.sizeBytes, operation: uploadOperation(intent, toLoggedRow(row)), done: true };
}

/** Removes the parts of an upload that a request left. */
async function removeUnfinished(
  { uploadId, objectKeys, visibility = "public", multipartUploadId }: SweepIntent,
  stores: AccountStores,
): Promise<void> {
  const [objectKey] = objectKeys;
  if (objectKey !== undefined && multipartUploadId !== undefined) {
    await abortMultipartUpload(stores.files, keyAs(objectKey, visibility), multipartUploadId);
  }
  await removeUpload(uploadId, objectKeys, stores);
}

/** One bounded pass of deleting a folder. @returns whether nothing of it is left */
async function deleteSomeOfFolder(
  folderId: string,
  changedBy: ChangedBy,
  { accountId, library }: AccountStores,
): Promise<boolean> {
  for (let step = 0; step < STEPS_PER_PASS; step++) {
    if (await deleteTreeStep(library, accountId, folderId, changedBy, STEP_UPLOADS)) return true;
    await letOthersIn();
  }
  return false;
}
