import type { Unstable_RawConfig } from "wrangler";
import type { Deployment } from "./deployment.ts";
import type { WorkerConfig } from "./worker-configs.ts";
import { hashWorker } from "./worker-hash.ts";

/**
 * Whether the deployed Worker equals the tree: the version and triggers of the last finished run, with the same hash. A Worker that was
 * rolled back or changed elsewhere does not.
 * @param config undefined if a database has no id yet
 */
export async function isUpToDate(
  { inventory, installation, container, options }: Deployment,
  { name, path }: WorkerConfig,
  config: Unstable_RawConfig | undefined,
): Promise<boolean> {
  const uploaded = installation.record.workers[name];
  if (options.isForced || config === undefined || uploaded === undefined) return false;
  if (uploaded.versionId !== inventory.workers.get(name)?.versionId) return false;
  return uploaded.hash === (await hashWorker(path, config, container));
}
