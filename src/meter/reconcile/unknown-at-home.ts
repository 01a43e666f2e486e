import { addMoved, findUnknownMoved, removeMoved } from "../../db/library/compare/moved-uploads.ts";
import { homeShard, type Shard } from "../../domain/ids.ts";
import type { AccountStores } from "../intents/account-stores.ts";
import type { Comparison } from "./comparison.ts";

/**
 * Finds uploads that were made in another shard which no longer has their record. Through that shard, a request with another account's key
 * would get 404 for such an upload. An account that never moved costs no statement.
 * @returns that shard, by upload id
 */
export async function findUnknownAtHome(
  { accountId, libraries, shard }: AccountStores,
  uploadIds: readonly string[],
): Promise<ReadonlyMap<string, Shard>> {
  const byHome = Map.groupBy(uploadIds, homeShard);
  const unknown = new Map<string, Shard>();
  for (const [home, ids] of byHome) {
    if (home === undefined || home === shard || !libraries.shards.includes(home)) continue;
    for (const id of await findUnknownMoved(libraries.open(home), accountId, ids)) unknown.set(id, home);
  }
  return unknown;
}

/** Records an upload in its home shard. @returns false if the upload was deleted since */
export async function tellHome(
  { stores, tables }: Pick<Comparison, "stores" | "tables">,
  uploadId: string,
  home: Shard,
): Promise<boolean> {
  const { accountId, libraries } = stores;
  const shard = libraries.open(home);
  await addMoved(shard, accountId, [uploadId]);
  const isGone = tables.isDeleted(uploadId) || tables.intents.find(`delete:${uploadId}`) !== undefined;
  if (isGone) await removeMoved(shard, accountId, [uploadId]);
  return !isGone;
}
