import { findKey } from "../../db/directory/keys.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { AccountContext } from "../context.ts";

/**
 * Revokes a key at once.
 * @throws ServiceError 404
 */
export async function revokeKey({ directory, accountId, meter }: AccountContext, keyId: string): Promise<void> {
  if (!isId(keyId) || (await findKey(directory, accountId, keyId)) === undefined) throw ERRORS.KeyNotFound();
  await meter.revokeKey(keyId);
}
