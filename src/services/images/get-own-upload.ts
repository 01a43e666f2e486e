import { findUpload, uploadExists } from "../../db/library/uploads.ts";
import type { Upload } from "../../db/schema.ts";
import { ERRORS, type ServiceError } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { AccountContext } from "../context.ts";

/**
 * An upload of the account.
 * @param foreign what to throw where the upload is another account's
 * @throws ServiceError 404, 403
 */
export async function getOwnUpload(
  { db, accountId }: AccountContext,
  uploadId: string,
  foreign: () => ServiceError,
): Promise<Upload> {
  if (!isId(uploadId)) throw ERRORS.ImageNotFound();
  const upload = await findUpload(db, accountId, uploadId);
  if (upload !== undefined) return upload;
  throw (await uploadExists(db, uploadId)) ? foreign() : ERRORS.ImageNotFound();
}
