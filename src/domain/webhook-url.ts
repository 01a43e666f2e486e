import { isAddressLiteral } from "./public-address.ts";

export const MAX_WEBHOOK_URL_CHARACTERS = 2048;

/** The ports at which Cloudflare proxies HTTPS. Other ports are refused, so that a webhook cannot scan ports. */
const PORTS = ["", "443", "2053", "2083", "2087", "2096", "8443"];
/** Names that are not in the public DNS, or do not identify one host (RFC 6761, 6762, 7686, 8375; ICANN's `internal`). */
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
  /** Development only: plain HTTP, any port and any host are allowed. */
  readonly allowsPrivate: boolean;
  /** The service's own hosts, because the service must not call itself. */
  readonly ownHosts: readonly string[];
}

/**
 * Judges a webhook's URL by its text. The addresses of its host are checked elsewhere.
 * @returns the URL as it is stored, or the reason why it is refused
 */
export function parseWebhookUrl(
  text: string,
  { allowsPrivate, ownHosts }: WebhookRules,
): { readonly url: URL } | { readonly reason: string } {
  if (!URL.canParse(text)) return { reason: "Must be an absolute URL" };
  const url = new URL(text);
  url.hash = "";
  if (url.username !== "" || url.password !== "") return { reason: "Must not contain credentials" };
  if (url.href.length > MAX_WEBHOOK_URL_CHARACTERS)
    return { reason: `At most ${MAX_WEBHOOK_URL_CHARACTERS} characters` };
  if (allowsPrivate) return /^https?:$/.test(url.protocol) ? { url } : { reason: "Must be http or https" };
  if (url.protocol !== "https:") return { reason: "Must be https" };
  if (!PORTS.includes(url.port)) return { reason: "The port is not allowed for webhooks" };
  const host = url.hostname.replace(/\.$/, "");
  if (isAddressLiteral(host)) return { reason: "The host must be a name, not an address" };
  if (!host.includes(".") || LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix))) {
    return { reason: "The host is not a public name" };
  }
  if (ownHosts.includes(host)) return { reason: "The host is this service itself" };
  return { url };
}
