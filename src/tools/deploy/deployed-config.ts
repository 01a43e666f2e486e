import type { Unstable_RawConfig } from "wrangler";
import type { Addresses } from "./addresses.ts";
import type { Residence } from "./residence.ts";
import type { WorkerConfig } from "./worker-configs.ts";

/** The values that turn the tracked configuration into an installation's. */
export interface DeployedSettings {
  /** Ids by name. */
  readonly databases: ReadonlyMap<string, string>;
  readonly addresses: Addresses;
  readonly domain: string | null;
  readonly cdnDomain: string | null;
  readonly container: boolean;
  readonly place: Residence | undefined;
  /** The day (YYYY-MM-DD) of the packages in the base of the Container's image: `BASE_DATE` of its Dockerfile. */
  readonly containerBase: string;
}

/** The variables of Workers whose service has no media processor (src/processor/media-processor.ts, src/cdn/variants/variant-maker.ts). */
const NO_PROCESSOR = "none";

/**
 * The configuration that wrangler deploys.
 * @returns undefined if a database has no id yet
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
    ...bucketsOf(raw, settings),
    ...imagesOf(raw, settings),
    ...entranceOf(role, settings),
    ...(role === "api" ? { vars: { ...raw.vars, ...apiVars(settings) } } : {}),
    ...(role === "cdn" ? { vars: { ...raw.vars, ...cdnVars(settings) } } : {}),
  };
}

function cdnVars({ addresses, container }: DeployedSettings): Record<string, string> {
  return { REPORT_URL: `${addresses.apiUrl}/report`, ...(container ? {} : { MEDIA_PROCESSOR: NO_PROCESSOR }) };
}

function apiVars({ addresses, container }: DeployedSettings): Record<string, string> {
  return {
    CDN_URL: addresses.cdnUrl,
    PUBLIC_URL: addresses.apiUrl,
    ...(container ? {} : { MEDIA_PROCESSOR_URL: NO_PROCESSOR }),
  };
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

/** A bucket of a jurisdiction is bound with its jurisdiction. */
function bucketsOf({ r2_buckets: buckets = [] }: Unstable_RawConfig, { place }: DeployedSettings) {
  if (place === undefined || !("jurisdiction" in place) || buckets.length === 0) return {};
  return { r2_buckets: buckets.map((each) => ({ ...each, jurisdiction: place.jurisdiction })) };
}

/** Another day of the base is another image. */
function imagesOf({ containers = [] }: Unstable_RawConfig, { container, containerBase }: DeployedSettings) {
  if (!container || containers.length === 0) return {};
  return { containers: containers.map((each) => ({ ...each, image_vars: { BASE_DATE: containerBase } })) };
}
