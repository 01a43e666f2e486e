import { findAccount } from "../../db/directory/accounts.ts";
import type { Shard } from "../../domain/ids.ts";
import type { MeterContext } from "../account/context.ts";
import type { AccountStores } from "../intents/account-stores.ts";
import { eraseSome } from "../intents/erase-account.ts";
import { openAccountStores } from "../intents/open-account-stores.ts";
import type { ReconcileOrder, ReconcileStep } from "./finding.ts";
import { hasObjects } from "./has-objects.ts";
import { reconcileAccount } from "./reconcile-account.ts";

/** Compares the account's stores for one bounded step, and makes safe repairs if they were requested. Parallel steps do no harm. */
export async function reconcileStep(
  { env, name, tables, runner, load, openStores }: MeterContext,
  { from, places, maxOrphans, ...order }: ReconcileOrder,
): Promise<ReconcileStep> {
  const { erasedAt } = tables.tombstone;
  if (erasedAt !== undefined)
    return eraseAgain(openAccountStores(env, tables, { id: name ?? "" }), { places, repair: order.repair });
  if (!(await load())) return { outcome: "unknown" };
  const stores = openStores();
  return reconcileAccount({ stores, tables, runner, ...order, orphans: { left: maxOrphans } }, from, places);
}

/** Erases, in bounded steps, the data of an erased account that a restored database has brought back. */
async function eraseAgain(
  stores: AccountStores,
  { places, repair }: { readonly places: readonly Shard[]; readonly repair: boolean },
): Promise<ReconcileStep> {
  const { accountId, directory, files } = stores;
  const isThere =
    places.length > 0 ||
    (await findAccount(directory, accountId)) !== undefined ||
    (await hasObjects(files, accountId));
  const none = { outcome: "compared", uploads: 0, objects: 0 } as const;
  if (!isThere) return { ...none, findings: [], next: null };
  if (repair && !(await eraseSome(stores)).done) return { ...none, findings: [], next: "account" };
  return { ...none, findings: [{ kind: "erased-account", subject: accountId, repaired: repair }], next: null };
}
