import type { Directory } from "../../db/directory/directory.ts";
import { findKeyByHash } from "../../db/directory/keys.ts";
import type { Scope } from "../../domain/principal.ts";
import type { KeyKind } from "../../domain/tiers.ts";

/** What of a key never changes. Whether it still lives, the account's Durable Object says. */
export interface KeyFacts {
  readonly keyId: string;
  readonly accountId: string;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
}

const MAX_CACHED = 2000;
/** By the key's hash; the oldest use first. */
const cache = new Map<string, KeyFacts>();

/** A key that this isolate has seen before: a warm request asks D1 nothing. */
export function findCachedFacts(hash: string): KeyFacts | undefined {
  const cached = cache.get(hash);
  if (cached === undefined) return undefined;
  cache.delete(hash);
  cache.set(hash, cached);
  return cached;
}

/** Looks a key up in D1 by its hash. Unknown keys are not cached, as a key may be made at any time. */
export async function findKeyFacts(directory: Directory, hash: string): Promise<KeyFacts | undefined> {
  const key = await findKeyByHash(directory, hash);
  if (key === undefined) return undefined;
  const facts: KeyFacts = { keyId: key.id, accountId: key.accountId, kind: key.kind, scopes: key.scopes };
  cache.set(hash, facts);
  if (cache.size > MAX_CACHED) {
    const oldest = cache.keys().next().value;
    if (oldest !== undefined) cache.delete(oldest);
  }
  return facts;
}
