/** A year. It has neither `includeSubDomains` nor `preload`, because the zone may have other hosts that the operator did not choose. */
const MAX_AGE_SECONDS = 31_536_000;

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The header of every answer over HTTPS. Browsers then never send this host a request over http again (RFC 6797). */
export const STRICT_TRANSPORT = {
  name: "Strict-Transport-Security",
  value: `max-age=${MAX_AGE_SECONDS}`,
} as const;

/** Whether others could read the request: it came over http, and not from this machine (SVC-9). */
export function isExposed({ protocol, hostname }: URL): boolean {
  return protocol !== "https:" && !LOOPBACK.test(hostname);
}

/**
 * The same address over HTTPS, if the request may be repeated there: it only reads and has no key. A key that was sent over http has
 * leaked, and a redirect would hide that.
 */
export function secureAddress({ method, headers }: Request, url: URL): string | undefined {
  if ((method !== "GET" && method !== "HEAD") || headers.has("Authorization")) return undefined;
  const secure = new URL(url);
  secure.protocol = "https:";
  secure.port = "";
  return secure.href;
}
