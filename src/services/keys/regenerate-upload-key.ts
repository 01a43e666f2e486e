import type { Key } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { TIERS } from "../../domain/tiers.ts";
import { requireSession } from "../accounts/require-session.ts";
import type { AccountContext } from "../context.ts";
import { makeKey } from "./make-key.ts";

/**
 * A new upload key for a Free or Starter account; earlier keys are refused at once (AUTH-5). Of several concurrent
 * regenerations the last one succeeds and the others get an error, so that every key that is shown works.
 * @throws ServiceError 400 on the other tiers, 409 if another regeneration or a revocation came later, or
 * the session has ended
 */
export async function regenerateUploadKey({
  accountId,
  figures,
  meter,
  now,
  principal,
}: AccountContext): Promise<{ secret: string; key: Key }> {
  if (TIERS[figures.tier].keyKind !== "upload") throw ERRORS.UploadKeyNotForTier();
  const made = await makeKey({ accountId, kind: "upload", name: "Upload key" }, now());
  if (!(await meter.replaceUploadKey(toNewUploadKey(made.key), requireSession(principal))))
    throw ERRORS.UploadKeyReplaced();
  return made;
}

function toNewUploadKey({ id, hash, lastFour, createdAt }: Key) {
  return { id, hash, lastFour, createdAt };
}
