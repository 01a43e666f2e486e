import type { Upload } from "../../db/library/schema.ts";
import { updateUploads } from "../../db/library/update-uploads.ts";
import { ERRORS } from "../../domain/errors.ts";
import { confinementOf } from "../../domain/principal.ts";
import { normalizeTags } from "../../domain/tags.ts";
import type { AccountContext } from "../context.ts";
import { refuseLostFolder, resolveFolder } from "../folders/resolve-folder.ts";
import { getOwnUpload } from "./get-own-upload.ts";

export interface ImageChange {
  /** Null is Root. */
  readonly folderId?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly favorite?: boolean | undefined;
}

/**
 * Moves, tags or marks an active or trashed upload.
 * @returns the upload after the change
 * @throws ServiceError 400 for malformed tags, 403 and 404 for the upload, 404 for the folder
 */
export async function updateImage(account: AccountContext, uploadId: string, change: ImageChange): Promise<Upload> {
  const { favorite } = change;
  const tags = change.tags === undefined ? undefined : normalizeTags(change.tags);
  await getOwnUpload(account, uploadId, ERRORS.ForeignImage);
  const folderId = change.folderId === undefined ? undefined : await resolveFolder(account, change.folderId);
  const { library, accountId } = account;
  const within = confinementOf(account);
  await refuseLostFolder(updateUploads(library, accountId, [uploadId], { folderId, tags, favorite }, { within }));
  return getOwnUpload(account, uploadId, ERRORS.ForeignImage);
}
