/** A year. Neither `includeSubDomains` nor `preload`: the zone may have other hosts that the operator has not asked about. */
const MAX_AGE_SECONDS = 31_536_000;

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The header of every answer over HTTPS: browsers then never ask this host over http again (RFC 6797). */
export const STRICT_TRANSPORT = {
  name: "Strict-Transport-Security",
  value: `max-age=${MAX_AGE_SECONDS}`,
} as const;

/** Whether a request came over a network that others can read: over http, and not from this machine (SVC-9). */
export function isExposed({ protocol, hostname }: URL): boolean {
  return protocol !== "https:" && !LOOPBACK.test(hostname);
}

/**
 * The same address over HTTPS, if the request may be repeated there: it only reads, and carries no key. A key that was sent over http
 * has leaked; a redirect would hide that.
 */
export function secureAddress({ method, headers }: Request, url: URL): string | undefined {
  if ((method !== "GET" && method !== "HEAD") || headers.has("Authorization")) return undefined;
  const secure = new URL(url);
  secure.protocol = "https:";
  secure.port = "";
  return secure.href;
}
