import { openStores } from "../services/open-stores.ts";
import { destroyExpired } from "../services/operator/takedowns.ts";

/**
 * The cron trigger: destroys bytes of takedowns whose time is over, compares the stores and repairs safe differences. The reconciler
 * continues alone.
 */
export async function startNightly(_event: ScheduledController, env: Env): Promise<void> {
  const stores = openStores(env);
  await stores.reconciler().start(true);
  await destroyExpired({ ...stores, now: Date.now });
}
