import type { Unstable_RawConfig } from "wrangler";
import type { Addresses } from "./addresses.ts";
import type { WorkerConfig } from "./worker-configs.ts";

/** What makes one installation's configuration out of the tracked one. */
export interface DeployedSettings {
  /** Ids by name. */
  readonly databases: ReadonlyMap<string, string>;
  readonly addresses: Addresses;
  readonly domain: string | null;
  readonly cdnDomain: string | null;
  readonly container: boolean;
}

/** `MEDIA_PROCESSOR_URL` of a service that has no media processor (src/processor/open-processor.ts). */
const NO_PROCESSOR = "none";

/**
 * The configuration that wrangler deploys.
 * @returns undefined where a database has no id yet
 */
export function toDeployedConfig(
  { raw, role }: WorkerConfig,
  settings: DeployedSettings,
): Unstable_RawConfig | undefined {
  const databases = (raw.d1_databases ?? []).map((each) => ({
    ...each,
    database_id: settings.databases.get(each.database_name ?? ""),
  }));
  if (databases.some(({ database_id: id }) => id === undefined)) return undefined;
  const { dev: _, ...rest } = raw;
  return {
    ...rest,
    ...(databases.length === 0 ? {} : { d1_databases: databases }),
    ...entranceOf(role, settings),
    ...(role === "api" ? { vars: { ...raw.vars, ...apiVars(settings) } } : {}),
  };
}

function apiVars({ addresses, container }: DeployedSettings): Record<string, string> {
  return { CDN_URL: addresses.cdnUrl, ...(container ? {} : { MEDIA_PROCESSOR_URL: NO_PROCESSOR }) };
}

/** A Worker that has a domain has no second address on workers.dev. */
function entranceOf(
  role: WorkerConfig["role"],
  { addresses, domain, cdnDomain }: DeployedSettings,
): Pick<Unstable_RawConfig, "workers_dev" | "routes"> {
  if (role === "codecs") return {};
  const host = role === "api" ? domain : cdnDomain;
  if (host !== null) return { workers_dev: false, routes: [{ pattern: host, custom_domain: true }] };
  return { workers_dev: role === "api" || addresses.hasCdnAddress };
}
