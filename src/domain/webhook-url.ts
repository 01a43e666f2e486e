import { isAddressLiteral } from "./public-address.ts";

export const MAX_WEBHOOK_URL_CHARACTERS = 2048;

/** The ports at which Cloudflare proxies HTTPS and HTTP. Other ports are refused, so that a URL cannot scan ports. */
const PORTS: Readonly<Record<string, readonly string[]>> = {
  "https:": ["", "2053", "2083", "2087", "2096", "8443"],
  "http:": ["", "8080", "8880", "2052", "2082", "2086", "2095"],
};
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

type ParsedUrl = { readonly url: URL } | { readonly reason: string };

/** Judges a webhook's URL (`parsePublicUrl`). It must be https. */
export function parseWebhookUrl(text: string, rules: WebhookRules): ParsedUrl {
  return parsePublicUrl(text, rules, ["https:"]);
}

/**
 * Judges by its text a URL that the service itself requests. The addresses of its host are checked elsewhere.
 * @returns the URL as it is stored, without a fragment; or the reason why it is refused
 */
export function parsePublicUrl(
  text: string,
  { allowsPrivate, ownHosts }: WebhookRules,
  protocols: readonly ("https:" | "http:")[],
): ParsedUrl {
  if (!URL.canParse(text)) return { reason: "Must be an absolute URL" };
  const url = new URL(text);
  url.hash = "";
  if (url.username !== "" || url.password !== "") return { reason: "Must not contain credentials" };
  if (url.href.length > MAX_WEBHOOK_URL_CHARACTERS)
    return { reason: `At most ${MAX_WEBHOOK_URL_CHARACTERS} characters` };
  if (allowsPrivate) return /^https?:$/.test(url.protocol) ? { url } : { reason: "Must be http or https" };
  if (!protocols.some((each) => each === url.protocol))
    return { reason: protocols.length > 1 ? "Must be http or https" : "Must be https" };
  if (!PORTS[url.protocol]?.includes(url.port)) return { reason: "The port is not allowed" };
  const host = url.hostname.replace(/\.$/, "");
  if (isAddressLiteral(host)) return { reason: "The host must be a name, not an address" };
  if (!host.includes(".") || LOCAL_SUFFIXES.some((suffix) => host.endsWith(suffix))) {
    return { reason: "The host is not a public name" };
  }
  if (ownHosts.includes(host)) return { reason: "The host is this service itself" };
  return { url };
}
