import { openStores } from "../services/open-services.ts";
import { destroyExpired } from "../services/operator/takedowns.ts";

/**
 * The cron trigger: destroys the bytes of expired takedowns, compares the stores and repairs safe differences. The reconciler continues on
 * its own.
 */
export async function startNightly(_event: ScheduledController, env: Env): Promise<void> {
  const stores = openStores(env);
  await stores.reconciler().start(true);
  await destroyExpired({ ...stores, now: Date.now });
}
