import type { Upload } from "../../db/library/schema.ts";
import { findUpload, isForeignUpload } from "../../db/library/uploads.ts";
import { ERRORS, type ServiceError } from "../../domain/errors.ts";
import { homeShard, isId } from "../../domain/ids.ts";
import type { AccountContext } from "../context.ts";
import { reachesFolder } from "../folders/resolve-folder.ts";

/**
 * An upload of the account. An upload that a confined key does not reach is unknown to it.
 * @param foreign makes the error for another account's upload
 * @throws ServiceError 404, 403
 */
export async function getOwnUpload(
  account: AccountContext,
  uploadId: string,
  foreign: () => ServiceError,
): Promise<Upload> {
  const { library, libraries, accountId } = account;
  if (!isId(uploadId)) throw ERRORS.ImageNotFound();
  const upload = await findUpload(library, accountId, uploadId);
  if (upload !== undefined && !(await reachesFolder(account, upload.folderId))) throw ERRORS.ImageNotFound();
  if (upload !== undefined) return upload;
  const home = homeShard(uploadId);
  const isKnown = home !== undefined && libraries.shards.includes(home);
  throw isKnown && (await isForeignUpload(libraries.open(home), accountId, uploadId))
    ? foreign()
    : ERRORS.ImageNotFound();
}
