import type { Upload } from "../../db/library/schema.ts";
import { findUpload, isForeignUpload } from "../../db/library/uploads.ts";
import { ERRORS, type ServiceError } from "../../domain/errors.ts";
import { homeShard, isId } from "../../domain/ids.ts";
import type { AccountContext } from "../context.ts";

/**
 * An upload of the account.
 * @param foreign what to throw where the upload is another account's
 * @throws ServiceError 404, 403
 */
export async function getOwnUpload(
  { library, libraries, accountId }: AccountContext,
  uploadId: string,
  foreign: () => ServiceError,
): Promise<Upload> {
  if (!isId(uploadId)) throw ERRORS.ImageNotFound();
  const upload = await findUpload(library, accountId, uploadId);
  if (upload !== undefined) return upload;
  const home = homeShard(uploadId);
  const isKnown = home !== undefined && libraries.shards.includes(home);
  throw isKnown && (await isForeignUpload(libraries.open(home), accountId, uploadId))
    ? foreign()
    : ERRORS.ImageNotFound();
}
