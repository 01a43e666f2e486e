import { openStores } from "../services/open-stores.ts";

/** The cron trigger: has the stores compared, and mended where that is safe. The object that does it goes on by itself. */
export async function startNightly(_event: ScheduledController, env: Env): Promise<void> {
  await openStores(env).reconciler().start(true);
}
