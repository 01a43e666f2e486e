import { listKeys as queryKeys } from "../../db/directory/keys.ts";
import type { Key } from "../../db/directory/schema.ts";
import type { AccountContext } from "../context.ts";

export interface ListedKey {
  readonly key: Key;
  /** Exact to the minute; null if the key was never used. */
  readonly lastUsedAt: number | null;
}

/** The account's valid keys, newest first. */
export async function listKeys({ directory, accountId, meter }: AccountContext): Promise<ListedKey[]> {
  const [keys, uses] = await Promise.all([queryKeys(directory, accountId), meter.keyUses()]);
  return keys.map((key) => ({ key, lastUsedAt: uses[key.id] ?? null }));
}
