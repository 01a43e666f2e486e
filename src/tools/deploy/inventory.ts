import type { CloudflareApi, CloudflareRequest } from "./cloudflare-api.ts";
import type { Residence } from "./residence.ts";
import type { Resources } from "./resources.ts";

/** The deployed state of a Worker. */
export interface DeployedWorker {
  /** Names of the Worker's secrets. Cloudflare never returns their values. */
  readonly secrets: ReadonlySet<string>;
  /** The version that gets all requests; undefined if several versions share them. */
  readonly versionId: string | undefined;
}

/** The account's resources that the Workers need. */
export interface Inventory {
  /** Ids by name. */
  readonly databases: ReadonlyMap<string, string>;
  readonly buckets: ReadonlySet<string>;
  readonly queues: ReadonlySet<string>;
  /** The subdomain of workers.dev; undefined if the account has none yet. */
  readonly subdomain: string | undefined;
  readonly workers: ReadonlyMap<string, DeployedWorker>;
}

/**
 * Reads the account's inventory. It reads every kind of resource, so that a missing permission is detected before anything is created.
 * @throws CloudflareError with the permission that is missing
 */
export async function takeInventory(
  api: CloudflareApi,
  accountId: string,
  resources: Resources,
  workers: readonly string[],
  place: Residence | undefined,
): Promise<Inventory> {
  const [databases, buckets, queues, subdomain, deployed] = await Promise.all([
    findDatabases(api, accountId, resources.databases),
    findBuckets(api, accountId, resources.buckets, place),
    findQueues(api, accountId, resources.queues),
    findSubdomain(api, accountId),
    Promise.all(workers.map(async (name) => [name, await findWorker(api, accountId, name)] as const)),
  ]);
  return {
    databases,
    buckets,
    queues,
    subdomain,
    workers: new Map(deployed.flatMap(([name, worker]) => (worker === undefined ? [] : [[name, worker] as const]))),
  };
}

/** @returns ids of existing resources by name */
export async function findDatabases(
  api: CloudflareApi,
  accountId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const path = `/accounts/${accountId}/d1/database`;
  const all = await api.list<{ uuid: string; name: string }>(path, { permission: "databases" });
  return new Map(all.filter(({ name }) => names.includes(name)).map(({ name, uuid }) => [name, uuid]));
}

export async function findBuckets(
  api: CloudflareApi,
  accountId: string,
  names: readonly string[],
  place: Residence | undefined,
): Promise<Set<string>> {
  const request: CloudflareRequest = { permission: "buckets", headers: jurisdictionHeaders(place) };
  const found = await Promise.all(names.map((name) => api.find(`/accounts/${accountId}/r2/buckets/${name}`, request)));
  return new Set(names.filter((_, index) => found[index] !== undefined));
}

/** A bucket of a jurisdiction is found, created and bound only with its jurisdiction. */
export function jurisdictionHeaders(place: Residence | undefined): Record<string, string> {
  return place !== undefined && "jurisdiction" in place ? { "cf-r2-jurisdiction": place.jurisdiction } : {};
}

export async function findQueues(
  api: CloudflareApi,
  accountId: string,
  names: readonly string[],
): Promise<Set<string>> {
  const all = await api.list<{ queue_name: string }>(`/accounts/${accountId}/queues`, { permission: "queues" });
  return new Set(all.map(({ queue_name: name }) => name).filter((name) => names.includes(name)));
}

export async function findSubdomain(api: CloudflareApi, accountId: string): Promise<string | undefined> {
  const path = `/accounts/${accountId}/workers/subdomain`;
  return (await api.find<{ subdomain: string }>(path, { permission: "scripts" }))?.subdomain;
}

async function findWorker(api: CloudflareApi, accountId: string, name: string): Promise<DeployedWorker | undefined> {
  const path = `/accounts/${accountId}/workers/scripts/${name}`;
  const read: CloudflareRequest = { permission: "scripts" };
  const secrets = await api.find<{ name: string }[]>(`${path}/secrets`, read);
  if (secrets === undefined) return undefined;
  const found = await api.find<{ deployments: { versions: { version_id: string }[] }[] }>(`${path}/deployments`, read);
  const versions = found?.deployments[0]?.versions ?? [];
  return {
    secrets: new Set(secrets.map((secret) => secret.name)),
    versionId: versions.length === 1 ? versions[0]?.version_id : undefined,
  };
}
