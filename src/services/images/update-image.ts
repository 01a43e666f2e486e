import { ConstraintError } from "../../db/constraint-error.ts";
import type { Upload } from "../../db/library/schema.ts";
import { editUpload, type UploadEdit } from "../../db/library/update-uploads.ts";
import { ERRORS, ServiceError } from "../../domain/errors.ts";
import { changedBy } from "../../domain/file-history.ts";
import { isMediaType } from "../../domain/media-types.ts";
import { toCleanFileName } from "../../domain/object-key.ts";
import { confinementOf } from "../../domain/principal.ts";
import { normalizeTags } from "../../domain/tags.ts";
import { readExpiresAt } from "../../domain/upload-facts.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { AccountContext } from "../context.ts";
import { recordChanges } from "../events/record-changes.ts";
import { refuseLostFolder, resolveFolder } from "../folders/resolve-folder.ts";
import { changeVisibility } from "./change-visibility.ts";
import { takenId } from "./external-ids.ts";
import { getOwnUpload } from "./get-own-upload.ts";

/** A change as the client sent it. */
export interface ImageChange extends UploadEdit {
  /** ISO 8601; null for never. */
  readonly expiresAt?: string | null | undefined;
  readonly visibility?: Visibility | undefined;
}

/**
 * Changes an active or trashed upload: its folder (null is Root), tags, mark, name, the client's own facts (EDIT-1), then its expiry and its
 * visibility (PRIV-4).
 * @returns the upload after the change
 * @throws ServiceError 400 for malformed tags, 403 and 404 for the upload, 404 for the folder, 409 for the `externalId` of another upload,
 * 503 if a store fails
 */
export async function updateImage(
  account: AccountContext,
  uploadId: string,
  { expiresAt, ...given }: ImageChange,
): Promise<Upload> {
  const expiry = expiresAt === undefined ? undefined : readExpiry(account, expiresAt);
  const upload = await getOwnUpload(account, uploadId, ERRORS.ForeignImage);
  const { visibility, ...edit } = given;
  const { folderId, tags, originalFilename } = edit;
  const change: UploadEdit = {
    ...edit,
    folderId: folderId === undefined ? undefined : await resolveFolder(account, folderId),
    tags: tags === undefined ? undefined : normalizeTags(tags),
    originalFilename: originalFilename === undefined ? undefined : toCleanName(originalFilename, upload),
  };
  const isEdit = expiry !== undefined || Object.values(change).some((value) => value !== undefined);
  if (isEdit)
    await recordChanges(account, "image.updated", [uploadId], async () => {
      const write = editUpload(account.library, upload, change, changedBy(account), { within: confinementOf(account) });
      await refuseTaken(account, edit, refuseLostFolder(write));
      if (expiry !== undefined) await changeExpiry(account, upload, expiry);
    });
  // The object records the event, because it may finish the change after the request has died.
  if (visibility !== undefined) await changeVisibility(account, [uploadId], visibility);
  return readChanged(account, uploadId);
}

/**
 * The upload after a change. The library may have moved while the account's object made the change, and its former shard has no rows then.
 * @throws ServiceError 403 and 404 for the upload
 */
async function readChanged(account: AccountContext, uploadId: string): Promise<Upload> {
  try {
    return await getOwnUpload(account, uploadId, ERRORS.ForeignImage);
  } catch (error) {
    const isMissing = error instanceof ServiceError && error.statusCode < 500;
    if (!isMissing || !(await account.library.follow())) throw error;
    return getOwnUpload(account, uploadId, ERRORS.ForeignImage);
  }
}

/** @throws ServiceError 400 */
function readExpiry({ now }: AccountContext, given: string | null): number | null {
  const reading = given === null ? { value: null } : readExpiresAt(given, now());
  if ("problem" in reading) throw ERRORS.InvalidRequest({ expiresAt: reading.problem });
  return reading.value;
}

/** The account's object decides about expiries. A file without one costs no call to lose it. @throws ServiceError 404 */
async function changeExpiry({ meter }: AccountContext, { id, sizeBytes }: Upload, at: number | null): Promise<void> {
  const { outcome } = await meter.setExpiry({ id, sizeBytes }, at);
  if (outcome === "gone") throw ERRORS.ImageNotFound();
}

/** @throws ServiceError 409 */
async function refuseTaken(
  account: AccountContext,
  { externalId = null }: UploadEdit,
  write: Promise<void>,
): Promise<void> {
  try {
    await write;
  } catch (error) {
    const isTaken = error instanceof ConstraintError && error.constraint === "unique";
    throw isTaken ? await takenId(account, externalId) : error;
  }
}

/** The name as an upload would have it (RES-3). */
function toCleanName(name: string, { mimeType }: Upload): string {
  if (!isMediaType(mimeType)) throw new Error(`${mimeType} is not stored`);
  return toCleanFileName(name, mimeType);
}
