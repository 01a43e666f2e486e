import { isAddressLiteral } from "./public-address.ts";

export const MAX_WEBHOOK_URL_CHARACTERS = 2048;

/** The ports at which Cloudflare, and with it much of the web, takes HTTPS: a webhook is no way to try out all others. */
const PORTS = ["", "443", "2053", "2083", "2087", "2096", "8443"];
/** Names that are not in the public DNS, or not of one host (RFC 6761, 6762, 7686, 8375; ICANN's `internal`). */
const LOCAL_NAMES = [
  "localhost",
  "local",
  "internal",
  "intranet",
  "lan",
  "home",
  "corp",
  "private",
  "onion",
  "test",
  "invalid",
];
const LOCAL_SUFFIXES = [...LOCAL_NAMES.map((name) => `.${name}`), ".home.arpa", ".in-addr.arpa", ".ip6.arpa"];

export interface WebhookRules {
  /** For development: plain HTTP, any port, any host. */
  readonly allowsPrivate: boolean;
  /** The service's own hosts, which are not to call themselves. */
  readonly ownHosts: readonly string[];
}

/**
 * Judges a webhook's URL by what it says; what its host's name leads to is another question.
 * @returns the URL as it is kept, or the reason why it is none
 */
export function parseWebhookUrl(
  text: string,
  { allowsPrivate, ownHosts }: WebhookRules,
): { readonly url: URL } | { readonly reason: string } {
  if (!URL.canParse(text)) return { reason: "Must be an absolute URL" };
  const url = new URL(text);
  url.hash = "";
  if (url.username !== "" || url.password !== "") return { reason: "Must not hold credentials" };
  if (url.href.length > MAX_WEBHOOK_URL_CHARACTERS)
    return { reason: `At most ${MAX_WEBHOOK_URL_CHARACTERS} characters` };
  if (allowsPrivate) return /^https?:$/.test(url.protocol) ? { url } : { reason: "Must be http or https" };
  if (url.protocol !== "https:") return { reason: "Must be https" };
  if (!PORTS.includes(url.port)) return { reason: "The port is not one at which webhooks are sent" };
  const host = url.hostname.replace(/\.$/, "");
  if (isAddressLiteral(host)) return { reason: "The host must be a name, not an address" };
  if (!host.includes(".") || LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix))) {
    return { reason: "The host is not a public name" };
  }
  if (ownHosts.includes(host)) return { reason: "The host is this service itself" };
  return { url };
}
