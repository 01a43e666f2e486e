import { addMoved } from "../../db/library/compare/moved-uploads.ts";
import { deleteMovedUpload } from "../../db/library/uploads.ts";
import { homeShard, type Shard } from "../../domain/ids.ts";
import type { AccountStores } from "./account-stores.ts";

type HomeStores = Pick<AccountStores, "accountId" | "shard" | "libraries">;

/**
 * The home shard of an upload: the shard in its id. Requests of other accounts look there. An upload that began before its library moved
 * has the old shard in its id, while its row is in the new one. An account that never moved costs no statement.
 */
function formerShard(uploadId: string, { shard, libraries }: HomeStores): Shard | undefined {
  const home = homeShard(uploadId);
  return home === undefined || home === shard || !libraries.shards.includes(home) ? undefined : home;
}

/** Records an upload in its home shard, if its library has moved since. Must be called before the upload is settled. */
export async function rememberAtHome(uploadId: string, stores: HomeStores): Promise<void> {
  const home = formerShard(uploadId, stores);
  if (home !== undefined) await addMoved(stores.libraries.open(home), stores.accountId, [uploadId]);
}

/** Removes the home record with the upload. Waits while the library is leaving that shard. */
export async function forgetAtHome(uploadId: string, stores: HomeStores): Promise<void> {
  const home = formerShard(uploadId, stores);
  if (home === undefined) return;
  await deleteMovedUpload(
    stores.libraries.open(home, async () => home),
    stores.accountId,
    uploadId,
  );
}
