import { toLogLine } from "../../domain/log-line.ts";
import { isPublicAddress } from "../../domain/public-address.ts";
import type { WebhookConfig } from "../read-config.ts";

/** `address`: an address is not public, or there is none. `dns`: the resolver failed. */
type HostVerdict = "public" | "address" | "dns";

/**
 * Whether all addresses of a host are on the public internet. The name is resolved again for each request. A later
 * change of the name is the platform's concern: requests leave from Cloudflare's network, which has no private hosts.
 */
export async function checkHost(config: WebhookConfig, hostname: string): Promise<HostVerdict> {
  if (config.allowsPrivate) return "public";
  try {
    const addresses = await resolveHost(config.resolverUrl, hostname);
    return addresses.length > 0 && addresses.every(isPublicAddress) ? "public" : "address";
  } catch (error) {
    if (!(error instanceof ResolverError)) throw error;
    console.warn(toLogLine("webhook.not-looked-up", {}, error));
    return "dns";
  }
}

const TIMEOUT_MS = 5000;
const MAX_ANSWER_CHARACTERS = 65_536;
/** DNS record types (RFC 1035, 3.2.2; RFC 3596, 2.1). */
const TYPES = { A: 1, AAAA: 28 } as const;
/** RFC 1035, 4.1.1: no error, and no such name. */
const ANSWERED = [0, 3];

interface DnsAnswer {
  readonly Status: number;
  readonly Answer?: readonly { readonly type: number; readonly data: string }[];
}

/** The resolver failed. */
class ResolverError extends Error {}

/**
 * Returns every address of a host, IPv4 and IPv6, from a resolver with DNS over HTTPS (Cloudflare 1.1.1.1 documentation, "Using JSON").
 * Empty if the name has none.
 * @throws ResolverError if either answer is missing, because one answer proves nothing
 */
async function resolveHost(resolverUrl: string, hostname: string): Promise<string[]> {
  const answers = await Promise.all([ask(resolverUrl, hostname, "A"), ask(resolverUrl, hostname, "AAAA")]);
  return answers.flat();
}

async function ask(resolverUrl: string, hostname: string, type: keyof typeof TYPES): Promise<string[]> {
  const url = new URL(resolverUrl);
  url.searchParams.set("name", hostname);
  url.searchParams.set("type", type);
  let answer: DnsAnswer;
  try {
    const response = await fetch(url, {
      headers: { Accept: "application/dns-json" },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    answer = JSON.parse((await response.text()).slice(0, MAX_ANSWER_CHARACTERS)) as DnsAnswer;
  } catch (error) {
    throw new ResolverError("The resolver did not answer", { cause: error });
  }
  if (!ANSWERED.includes(answer?.Status) || !Array.isArray(answer.Answer ?? [])) {
    throw new ResolverError(`The resolver answered with status ${answer?.Status}`);
  }
  return (answer.Answer ?? []).filter((record) => record.type === TYPES[type]).map(({ data }) => data);
}
