import type { Key } from "../../db/directory/schema.ts";
import { newId } from "../../domain/ids.ts";
import type { Scope } from "../../domain/principal.ts";
import type { KeyKind } from "../../domain/tiers.ts";
import { hashSecret, newKeySecret } from "../auth/secrets.ts";

export interface KeyDescription {
  readonly accountId: string;
  readonly kind: KeyKind;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** A key and its row, not stored yet. The secret is shown once and is in no store. */
export async function makeKey(
  { accountId, kind, name, scopes }: KeyDescription,
  now: number,
): Promise<{ secret: string; key: Key }> {
  const secret = newKeySecret(kind);
  const key: Key = {
    id: newId(now),
    accountId,
    kind,
    name,
    hash: await hashSecret(secret),
    lastFour: secret.slice(-4),
    scopes: [...scopes],
    createdAt: now,
    revokedAt: null,
  };
  return { secret, key };
}
