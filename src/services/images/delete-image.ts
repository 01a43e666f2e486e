import { ERRORS } from "../../domain/errors.ts";
import { payingKey } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";
import { getOwnUpload } from "./get-own-upload.ts";

/**
 * Deletes an active or trashed upload permanently: row, file, thumbnail, storage (DEL-3). Counts as one operation.
 * @throws ServiceError 403, 404, 429
 */
export async function deleteImage(account: AccountContext, uploadId: string): Promise<void> {
  const { objectKey, sizeBytes } = await getOwnUpload(account, uploadId, ERRORS.ForeignImageDelete);
  const keyId = payingKey(account.principal);
  const deletion = await account.meter.deleteUpload({ uploadId, objectKey, sizeBytes, keyId });
  if (deletion.outcome === "refused") throw ERRORS.InvalidKey();
  account.figures = deletion.figures;
  switch (deletion.outcome) {
    case "deleted":
      account.operations += 1;
      return;
    case "gone":
      throw ERRORS.ImageNotFound();
    case "operations-exhausted":
      throw ERRORS.OperationsExhausted(deletion.retryAfterSeconds);
  }
}
