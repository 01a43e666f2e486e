import { addMoved, findUnknownMoved, removeMoved } from "../../db/library/compare/moved-uploads.ts";
import { homeShard } from "../../domain/ids.ts";
import type { Shard } from "../../domain/shard.ts";
import type { IntentStores } from "../intent-stores.ts";
import type { Comparison } from "./comparison.ts";

/**
 * Of an account's uploads, those that were made in another shard which does not know any more that they exist: whoever asks for one of
 * them by another account's key would be told that there is none. An account that was never moved costs no statement.
 * @returns that shard, by the upload's id
 */
export async function findUnknownAtHome(
  { accountId, libraries, shard }: IntentStores,
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

/** Has the shard where an upload was made know that it exists. @returns false where it was deleted meanwhile */
export async function tellHome({ stores, books }: Comparison, uploadId: string, home: Shard): Promise<boolean> {
  const { accountId, libraries } = stores;
  const shard = libraries.open(home);
  await addMoved(shard, accountId, [uploadId]);
  const isGone = books.isDeleted(uploadId) || books.intents.find(`delete:${uploadId}`) !== undefined;
  if (isGone) await removeMoved(shard, accountId, [uploadId]);
  return !isGone;
}
