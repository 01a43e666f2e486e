import { toLogLine } from "../../domain/log-line.ts";
import { isPublicAddress } from "../../domain/public-address.ts";
import type { WebhookConfig } from "../webhook-config.ts";
import { ResolverError, resolveHost } from "./resolve-host.ts";

/** `address`: it has one that is not public, or none. `dns`: nobody says which it has. */
export type HostVerdict = "public" | "address" | "dns";

/**
 * Whether a host's name leads to the public internet, by all of its addresses. It is asked anew for each request that is sent there. What
 * the name leads to a moment later is for the platform: Cloudflare's network, which sends the request, is not one that has private hosts.
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
