import { insertKey, listKeys } from "../../db/queries/keys.ts";
import type { Key } from "../../db/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { TIERS } from "../../domain/tiers.ts";
import type { AccountContext } from "../context.ts";
import { makeKey } from "./make-key.ts";

/**
 * A new upload key for a Free or Starter account; the ones before it are refused from now on. The old are revoked first:
 * a crash in between leaves the account without a key until this is asked for again, never with one that should be dead.
 * @throws ServiceError 400 on the other tiers
 */
export async function regenerateUploadKey(account: AccountContext): Promise<{ secret: string; key: Key }> {
  const { db, accountId, figures, meter } = account;
  if (TIERS[figures.tier].keyKind !== "upload") throw ERRORS.UploadKeyNotForTier();
  for (const old of await listKeys(db, accountId, "upload")) await meter.revokeKey(old.id);
  const made = await makeKey(accountId, "upload", "Upload key", [], account.now());
  await insertKey(db, made.key);
  return made;
}
