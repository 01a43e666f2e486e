import type { CloudflareApi } from "./cloudflare-api.ts";
import { DeployError } from "./deploy-error.ts";

/**
 * Refuses a domain that is in use. Without a terminal wrangler takes a domain away from its Worker or DNS records.
 * @param worker the Worker that wants the domain
 * @throws DeployError if the account has no such zone, or the domain has another Worker or DNS records
 */
export async function checkDomain(
  api: CloudflareApi,
  accountId: string,
  hostname: string,
  worker: string,
): Promise<void> {
  const attached = await api.call<{ hostname: string; service: string }[]>(`/accounts/${accountId}/workers/domains`, {
    permission: "scripts",
    query: { hostname },
  });
  const owner = attached.find((each) => each.hostname === hostname)?.service;
  if (owner === worker) return;
  if (owner !== undefined) throw new DeployError(`${hostname} is the domain of the Worker ${owner} already`);
  const zone = await findZone(api, accountId, hostname);
  const records = await api.list<{ type: string }>(`/zones/${zone}/dns_records`, {
    permission: "dns",
    query: { name: hostname },
  });
  if (records.length === 0) return;
  const types = records.map(({ type }) => type).join(", ");
  throw new DeployError(
    `${hostname} has DNS records (${types}). Delete them, or choose another domain: nothing is taken over.`,
  );
}

async function findZone(api: CloudflareApi, accountId: string, hostname: string): Promise<string> {
  const labels = hostname.split(".");
  // The longest name comes first, because a zone may be a subdomain of another zone.
  for (let from = 0; from < labels.length - 1; from += 1) {
    const name = labels.slice(from).join(".");
    const query = { name, "account.id": accountId };
    const [zone] = await api.list<{ id: string }>("/zones", { permission: "zones", query });
    if (zone !== undefined) return zone.id;
  }
  throw new DeployError(`The account has no zone for ${hostname}, or the token does not reach it`);
}
