import { ERRORS } from "../../domain/errors.ts";
import { payingKey } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";
import { getOwnUpload } from "./get-own-upload.ts";

/**
 * Deletes an active or trashed upload permanently: row, file, thumbnail, storage (DEL-3). Counts as one operation.
 * @param onlyFrom deletes the upload only if it is in the trash (DEL-6)
 * @throws ServiceError 403, 404, 429; 409 if `onlyFrom` keeps the upload
 */
export async function deleteImage(account: AccountContext, uploadId: string, onlyFrom?: "trash"): Promise<void> {
  const { objectKey, sizeBytes } = await getOwnUpload(account, uploadId, ERRORS.ForeignImageDelete);
  const keyId = payingKey(account.principal);
  const deletion = await account.meter.deleteUpload({
    uploadId,
    objectKey,
    sizeBytes,
    keyId,
    ...(onlyFrom && { onlyFrom }),
  });
  if (deletion.outcome === "refused") throw ERRORS.InvalidKey();
  account.figures = deletion.figures;
  switch (deletion.outcome) {
    case "deleted":
      account.operations += 1;
      return;
    case "gone":
      throw ERRORS.ImageNotFound();
    case "kept":
      throw ERRORS.ImageNotInTrash();
    case "operations-exhausted":
      throw ERRORS.OperationsExhausted(deletion.retryAfterSeconds);
  }
}
