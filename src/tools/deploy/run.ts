import { type Addresses, suggestSubdomain, toAddresses } from "./addresses.ts";
import type { CloudflareApi } from "./cloudflare-api.ts";
import type { Installation } from "./installation.ts";
import type { Inventory } from "./inventory.ts";
import type { DeployOptions } from "./options.ts";
import type { Progress } from "./progress.ts";
import type { WorkerConfig } from "./worker-configs.ts";

/** One deployment, once it is known what is there and what is wanted. */
export interface Run {
  readonly options: DeployOptions;
  readonly api: CloudflareApi;
  readonly token: string;
  readonly accountId: string;
  readonly installation: Installation;
  readonly inventory: Inventory;
  readonly progress: Progress;
  /** In the order of their deployment. */
  readonly configs: readonly WorkerConfig[];
  /** The operator's; undefined where one is to be made. */
  readonly adminToken: string | undefined;
  readonly container: boolean;
  readonly domain: string | null;
  readonly cdnDomain: string | null;
  /** What it gave up, now or in a run that broke off. */
  readonly formerDomains: readonly string[];
}

/** Where the installation answers, or will. */
export function addressesOf({ accountId, configs, options, domain, cdnDomain, inventory }: Run): Addresses {
  const subdomain = inventory.subdomain ?? suggestSubdomain(options.name, accountId);
  const [apiName, cdnName] = [getWorker(configs, "api").name, getWorker(configs, "cdn").name];
  return toAddresses({ domain, cdnDomain, subdomain, apiName, cdnName });
}

export function getWorker(configs: readonly WorkerConfig[], role: WorkerConfig["role"]): WorkerConfig {
  const found = configs.find((config) => config.role === role);
  if (found === undefined) throw new Error(`no Worker is the ${role}`);
  return found;
}
