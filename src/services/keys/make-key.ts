import type { Key } from "../../db/directory/schema.ts";
import { newId } from "../../domain/ids.ts";
import type { Scope } from "../../domain/principal.ts";
import type { KeyKind } from "../../domain/tiers.ts";
import { hashSecret, newKeySecret } from "../auth/secrets.ts";

/** The limits of a key's rights. */
export interface KeyLimits {
  readonly scopes: readonly Scope[];
  /** Null never. */
  readonly expiresAt: number | null;
  /** The folder that the key is confined to; null for none. */
  readonly folderId: string | null;
}

/** The kind of an upload key is its only limit. */
const NO_LIMITS: KeyLimits = { scopes: [], expiresAt: null, folderId: null };

export interface KeyDescription extends Partial<KeyLimits> {
  readonly accountId: string;
  readonly kind: KeyKind;
  readonly name: string;
}

/** A key and its row, not stored yet. The secret is shown once and never stored. */
export async function makeKey(
  { accountId, kind, name, ...given }: KeyDescription,
  now: number,
): Promise<{ secret: string; key: Key }> {
  const { scopes, expiresAt, folderId } = { ...NO_LIMITS, ...given };
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
    expiresAt,
    folderId,
  };
  return { secret, key };
}
