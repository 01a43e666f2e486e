import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import { keyOfOwnUploads } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";

/**
 * Revokes a token at once. A key that can only upload revokes only its own tokens.
 * @throws ServiceError 404
 */
export async function revokeUploadToken({ meter, principal }: AccountContext, id: string): Promise<void> {
  const isRevoked = isId(id) && (await meter.revokeUploadToken(id, keyOfOwnUploads(principal)));
  if (!isRevoked) throw ERRORS.UploadTokenNotFound();
}
