import { type Addresses, suggestSubdomain, toAddresses } from "./addresses.ts";
import type { SecretHolder } from "./choose-secrets.ts";
import type { CloudflareApi } from "./cloudflare-api.ts";
import type { DeploySteps } from "./deploy-steps.ts";
import type { Installation } from "./installation.ts";
import type { Inventory } from "./inventory.ts";
import type { DeployOptions } from "./options.ts";
import type { Residence } from "./residence.ts";
import type { Rotation } from "./rotation.ts";
import type { WorkerConfig } from "./worker-configs.ts";

/** A deployment with its options and the account's inventory. */
export interface Deployment {
  readonly options: DeployOptions;
  readonly api: CloudflareApi;
  readonly token: string;
  readonly accountId: string;
  readonly installation: Installation;
  readonly inventory: Inventory;
  readonly progress: DeploySteps;
  /** Workers in the order of deployment. */
  readonly configs: readonly WorkerConfig[];
  /** The operator's token; undefined if it will be generated. */
  readonly adminToken: string | undefined;
  /** The rotation of a secret that this run begins or finishes. */
  readonly rotation: Rotation | undefined;
  readonly container: boolean;
  /** The place of databases and files; undefined if none was chosen. */
  readonly place: Residence | undefined;
  /** The address that Cloudflare notifies of high usage; null: no mail; undefined: not chosen yet. */
  readonly notify: string | null | undefined;
  /** The day (YYYY-MM-DD) of the packages in the base of the Container's image: `BASE_DATE` of its Dockerfile. */
  readonly containerBase: string;
  /** Whether the base has to be pulled before the Container is built. */
  readonly isBaseOutdated: boolean;
  readonly domain: string | null;
  readonly cdnDomain: string | null;
  /** Domains that were given up, now or in an interrupted run. */
  readonly formerDomains: readonly string[];
}

/** The addresses of the installation. */
export function addressesOf({ accountId, configs, options, domain, cdnDomain, inventory }: Deployment): Addresses {
  const subdomain = inventory.subdomain ?? suggestSubdomain(options.name, accountId);
  const [apiName, cdnName] = [getWorker(configs, "api").name, getWorker(configs, "cdn").name];
  return toAddresses({ domain, cdnDomain, subdomain, apiName, cdnName });
}

/** The Workers with the secrets that they need and have. */
export function listHolders({ configs, inventory }: Pick<Deployment, "configs" | "inventory">): SecretHolder[] {
  return configs.map(({ name, raw }) => ({
    name,
    required: raw.secrets?.required ?? [],
    present: new Set(inventory.workers.get(name)?.secrets),
  }));
}

export function getWorker(configs: readonly WorkerConfig[], role: WorkerConfig["role"]): WorkerConfig {
  const found = configs.find((config) => config.role === role);
  if (found === undefined) throw new Error(`no Worker is the ${role}`);
  return found;
}
