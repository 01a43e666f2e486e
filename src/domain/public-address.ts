import ipaddr from "ipaddr.js";

/** Global unicast, the only part of IPv6 from which addresses are given out (IANA, "IPv6 Address Space"). */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/**
 * Whether an address is one on the public internet: not private, loopback, link-local, shared (CGNAT), multicast, documentation,
 * benchmarking or reserved, and no form of IPv6 that carries an IPv4 address in it (mapped, NAT64, 6to4, Teredo), which lead wherever
 * that one does (RFC 6890 and the registries that it made).
 * @param text an address as DNS has it; anything else is not public
 */
export function isPublicAddress(text: string): boolean {
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes("%"));
  if (!isWhole) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || (address as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

/** Whether a URL's host is an address, in whatever notation: the URL parser has made dotted decimals, or brackets, of all of them. */
export function isAddressLiteral(hostname: string): boolean {
  return hostname.startsWith("[") || ipaddr.isValid(hostname);
}
