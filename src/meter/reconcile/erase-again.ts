import { findAccount } from "../../db/directory/accounts.ts";
import { accountPrefix, previewPrefix } from "../../domain/object-key.ts";
import type { Shard } from "../../domain/shard.ts";
import { eraseSome } from "../erase-account.ts";
import type { IntentStores } from "../intent-stores.ts";
import type { ReconcileStep } from "./finding.ts";

/** A bounded step of erasing once more what a database that was restored has of an erased account. */
export async function eraseAgain(
  stores: IntentStores,
  { places, repair }: { readonly places: readonly Shard[]; readonly repair: boolean },
): Promise<ReconcileStep> {
  const { accountId, directory, files } = stores;
  const hasObjects = async (prefix: string) => (await files.list({ prefix, limit: 1 })).objects.length > 0;
  const isThere =
    places.length > 0 ||
    (await findAccount(directory, accountId)) !== undefined ||
    (await hasObjects(accountPrefix(accountId))) ||
    (await hasObjects(previewPrefix(accountId)));
  const none = { outcome: "compared", uploads: 0, objects: 0 } as const;
  if (!isThere) return { ...none, findings: [], next: null };
  if (repair && !(await eraseSome(stores)).done) return { ...none, findings: [], next: "account" };
  return { ...none, findings: [{ kind: "erased-account", subject: accountId, repaired: repair }], next: null };
}
