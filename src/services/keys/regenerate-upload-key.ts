import type { Key } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { TIERS } from "../../domain/tiers.ts";
import type { AccountContext } from "../context.ts";
import { makeKey } from "./make-key.ts";

/**
 * A new upload key for a Free or Starter account; the ones before it are refused from now on. Of several regenerations at
 * once the last one's key lives, and the others are refused: whoever is shown a key can use it.
 * @throws ServiceError 400 on the other tiers, 409 where another regeneration, or a revocation, came after this one
 */
export async function regenerateUploadKey({
  accountId,
  figures,
  meter,
  now,
}: AccountContext): Promise<{ secret: string; key: Key }> {
  if (TIERS[figures.tier].keyKind !== "upload") throw ERRORS.UploadKeyNotForTier();
  const made = await makeKey({ accountId, kind: "upload", name: "Upload key", scopes: [] }, now());
  if (!(await meter.replaceUploadKey(toNewUploadKey(made.key)))) throw ERRORS.UploadKeyReplaced();
  return made;
}

function toNewUploadKey({ id, hash, lastFour, createdAt }: Key) {
  return { id, hash, lastFour, createdAt };
}
