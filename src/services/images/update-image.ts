import type { Upload } from "../../db/library/schema.ts";
import { updateUploads } from "../../db/library/update-uploads.ts";
import { ERRORS } from "../../domain/errors.ts";
import { normalizeTags } from "../../domain/tags.ts";
import type { AccountContext } from "../context.ts";
import { refuseLostFolder, requireFolder } from "../folders/require-folder.ts";
import { getOwnUpload } from "./get-own-upload.ts";

export interface ImageChange {
  /** Null is Root. */
  readonly folderId?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly favorite?: boolean | undefined;
}

/**
 * Moves, tags or marks one upload, active or trashed.
 * @returns the upload as it is now
 * @throws ServiceError 400 for tags that are none, 403 and 404 for the upload, 404 for the folder
 */
export async function updateImage(account: AccountContext, uploadId: string, change: ImageChange): Promise<Upload> {
  const { folderId, favorite } = change;
  const tags = change.tags === undefined ? undefined : normalizeTags(change.tags);
  await getOwnUpload(account, uploadId, ERRORS.ForeignImage);
  if (folderId !== undefined) await requireFolder(account, folderId);
  const { library, accountId } = account;
  await refuseLostFolder(updateUploads(library, accountId, [uploadId], { folderId, tags, favorite }));
  return getOwnUpload(account, uploadId, ERRORS.ForeignImage);
}
