import type { Db } from "../db/client.ts";
import { replaceUploadKey, updateAccount, updateTier } from "../db/directory/accounts.ts";
import { markKeyRevoked } from "../db/directory/keys.ts";
import { closeAccount, deleteAccount, deleteSomeUploads } from "../db/library/erase-account.ts";
import { deleteTreeStep } from "../db/library/folders.ts";
import { deleteUpload, findUpload } from "../db/library/uploads.ts";
import { isVideo } from "../domain/media-types.ts";
import { accountPrefix, thumbnailKey } from "../domain/object-key.ts";
import type { UploadStored } from "../domain/queue-messages.ts";
import type { Sender } from "../isolate/retry-queue.ts";
import type { DeleteIntent, Intent, ThumbnailIntent, UploadIntent } from "./intent.ts";
import type { Operation } from "./operation-log.ts";

/** R2 lists and deletes at most this many objects in one call. */
const R2_PAGE = 1000;
/** Uploads that the deletion of a folder or an account changes in one transaction, which keeps all others from the database. */
const STEP_UPLOADS = 500;
const STEPS_PER_PASS = 20;
const PAUSE_MS = 20;
/** Pages of an erasure that one pass does; the next pass goes on. */
const PAGES_PER_PASS = 20;

export interface IntentStores {
  readonly accountId: string;
  readonly db: Db;
  readonly files: R2Bucket;
  readonly uploadEvents: Sender<UploadStored>;
  readonly now: number;
}

/** What the account's figures still have to learn of an intent that was carried out. */
export interface IntentEffect {
  readonly storageBytes: number;
  readonly operation: Operation | null;
  /** False where a further pass is needed. */
  readonly done: boolean;
}

const NO_EFFECT: IntentEffect = { storageBytes: 0, operation: null, done: true };

/**
 * Carries an intent out in D1 and R2, or undoes it: an upload whose row exists is kept, one without a row is removed.
 * Every step is idempotent, so that it can be performed again after a crash between any two of them.
 */
export async function performIntent(
  intent: Exclude<Intent, ThumbnailIntent>,
  stores: IntentStores,
): Promise<IntentEffect> {
  const { accountId, db, now } = stores;
  switch (intent.kind) {
    case "upload":
      return finishUpload(intent, stores);
    case "delete":
      await deleteUpload(db, accountId, intent.uploadId);
      await stores.files.delete([intent.objectKey, thumbnailKey(accountId, intent.uploadId)]);
      return { storageBytes: -intent.sizeBytes, operation: deleteOperation(intent, now), done: true };
    case "delete-folder":
      return { ...NO_EFFECT, done: await deleteSomeOfFolder(intent.folderId, stores) };
    case "revoke-key":
      await markKeyRevoked(db, accountId, intent.keyId, now);
      return NO_EFFECT;
    case "replace-upload-key":
      await replaceUploadKey(db, accountId, intent.key, now);
      return NO_EFFECT;
    case "set-tier":
      await updateTier(db, accountId, { tier: intent.tier, billingAnchorAt: intent.billingAnchorAt }, intent.uploadKey);
      return NO_EFFECT;
    case "set-password":
      await updateAccount(db, accountId, { passwordHash: intent.passwordHash });
      return NO_EFFECT;
    case "set-settings":
      await updateAccount(db, accountId, intent.settings);
      return NO_EFFECT;
    case "erase":
      return eraseSome(stores);
  }
}

/** The operation that a stored upload counts as; its id makes a second settling count nothing. */
export function uploadOperation(intent: UploadIntent, at: number): Operation {
  const { uploadId, keyId } = intent;
  return { id: uploadOperationId(uploadId), type: "upload", at, resourceId: uploadId, keyId };
}

/** Its presence in the log says that an upload is stored, or was. */
export function uploadOperationId(uploadId: string): string {
  return `upload:${uploadId}`;
}

/** Its presence in the log also says that an upload is no more. */
export function deleteOperationId(uploadId: string): string {
  return `delete:${uploadId}`;
}

function deleteOperation(intent: DeleteIntent, at: number): Operation {
  return {
    id: deleteOperationId(intent.uploadId),
    type: "delete",
    at,
    resourceId: intent.uploadId,
    keyId: intent.keyId,
  };
}

async function finishUpload(intent: UploadIntent, stores: IntentStores): Promise<IntentEffect> {
  const { accountId, db, files, now } = stores;
  const keys = [intent.objectKey, ...(intent.resultKey === undefined ? [] : [intent.resultKey])];
  const row = await findUpload(db, accountId, intent.uploadId);
  // A row that came while its object was being removed has none.
  if (row === undefined || (await files.head(row.objectKey)) === null) {
    await deleteUpload(db, accountId, intent.uploadId);
    if (intent.multipartUploadId !== undefined) {
      await abortMultipartUpload(files, intent.objectKey, intent.multipartUploadId);
    }
    await files.delete(keys);
    return NO_EFFECT;
  }
  // Of an original and its compressed form, the one that the row does not name is nobody's.
  const unnamed = keys.filter((key) => key !== row.objectKey);
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
  return { storageBytes: row.sizeBytes, operation: uploadOperation(intent, now), done: true };
}

/** Aborting what was completed or aborted before is an error to R2, and nothing to us. */
async function abortMultipartUpload(files: R2Bucket, key: string, multipartUploadId: string): Promise<void> {
  try {
    await files.resumeMultipartUpload(key, multipartUploadId).abort();
  } catch (error) {
    if (!/does not exist|NoSuchUpload|\(10024\)/i.test(String(error))) throw error;
  }
}

/** One bounded pass of deleting a folder; true when nothing of it is left. */
async function deleteSomeOfFolder(folderId: string, { accountId, db }: IntentStores): Promise<boolean> {
  for (let step = 0; step < STEPS_PER_PASS; step++) {
    if (await deleteTreeStep(db, accountId, folderId, STEP_UPLOADS)) return true;
    await letOthersIn();
  }
  return false;
}

/** One bounded pass of erasing an account; `done` when nothing of it is left in R2 and D1. */
async function eraseSome({ accountId, db, files }: IntentStores): Promise<IntentEffect> {
  const unfinished: IntentEffect = { ...NO_EFFECT, done: false };
  await closeAccount(db, accountId);
  for (let page = 0; ; page++) {
    if (page === PAGES_PER_PASS) return unfinished;
    const { objects } = await files.list({ prefix: accountPrefix(accountId), limit: R2_PAGE });
    if (objects.length === 0) break;
    await files.delete(objects.map((object) => object.key));
  }
  for (let page = 0; ; page++) {
    if (page === PAGES_PER_PASS) return unfinished;
    if ((await deleteSomeUploads(db, accountId, STEP_UPLOADS)) === 0) break;
    await letOthersIn();
  }
  await deleteAccount(db, accountId);
  return NO_EFFECT;
}

/** Between two steps, others' statements come first: a step that follows at once may be before whatever has waited meanwhile. */
function letOthersIn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
