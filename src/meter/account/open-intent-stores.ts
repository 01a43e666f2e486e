import { openDirectory } from "../../db/directory/directory.ts";
import { openLibraries } from "../../db/library/libraries.ts";
import type { Shard } from "../../domain/shard.ts";
import { retry } from "../../isolate/retry.ts";
import { retryBucket } from "../../isolate/retry-bucket.ts";
import { retryQueue } from "../../isolate/retry-queue.ts";
import type { AccountBooks } from "../account-books.ts";
import type { IntentStores } from "../intent-stores.ts";

/**
 * Opens what an account's intents are carried out in; failures that may pass are tried again.
 * @param account another one than the books know: one that is erased is known by its id alone
 */
export function openIntentStores(
  env: Env,
  books: AccountBooks,
  { id: accountId, shard = "00" }: { readonly id: string; readonly shard?: Shard } = books.ledger.state,
): IntentStores {
  const libraries = openLibraries(env, retry);
  return {
    accountId,
    directory: openDirectory(env, retry),
    libraries,
    get shard() {
      return books.ledger.shard;
    },
    library: libraries.open(shard, async () => books.ledger.shard),
    files: retryBucket(env.FILES),
    uploadEvents: retryQueue(env.UPLOADS),
    now: Date.now(),
  };
}
