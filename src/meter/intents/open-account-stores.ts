import { openDirectory } from "../../db/directory/directory.ts";
import { openLibraries } from "../../db/library/library.ts";
import type { Shard } from "../../domain/ids.ts";
import { boundedBucket } from "../../isolate/bounded-bucket.ts";
import { retry, retryBucket, retryQueue, retryStub } from "../../isolate/calls.ts";
import type { AccountTables } from "../account/account-tables.ts";
import { openModerationQueue } from "../moderation-queue.ts";
import type { AccountStores } from "./account-stores.ts";

/**
 * Opens the stores in which an account's intents are carried out. Transient failures are retried.
 * @param account replaces the account of the tables: of an erased account only the id is known
 */
export function openAccountStores(
  env: Env,
  tables: AccountTables,
  { id: accountId, shard = "00" }: { readonly id: string; readonly shard?: Shard } = tables.ledger.state,
): AccountStores {
  const libraries = openLibraries(env, retry);
  return {
    accountId,
    directory: openDirectory(env, retry),
    libraries,
    get shard() {
      return tables.ledger.shard;
    },
    library: libraries.open(shard, async () => tables.ledger.shard),
    files: boundedBucket(retryBucket(env.FILES), Number(env.INTENT_TIMEOUT_SECONDS) * 1000),
    get variants() {
      return retryStub(() => env.VARIANT_BUDGET.getByName(accountId));
    },
    uploadEvents: retryQueue(env.UPLOADS),
    moderation: openModerationQueue(env),
    now: Date.now(),
  };
}
