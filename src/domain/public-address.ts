import ipaddr from "ipaddr.js";

/** Global unicast, the only range of IPv6 from which addresses are assigned (IANA, "IPv6 Address Space"). */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/**
 * Whether an address is on the public internet: not private, loopback, link-local, shared (CGNAT), multicast,
 * documentation, benchmarking or reserved (RFC 6890 and its registries). IPv6 forms that embed an IPv4 address (mapped,
 * NAT64, 6to4, Teredo) are refused too, because they lead to that address.
 * @param text an address as DNS returns it; any other text is not public
 */
export function isPublicAddress(text: string): boolean {
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes("%"));
  if (!isWhole) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || (address as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

/** Whether a URL's host is an address. The URL parser has normalised every notation to dotted decimals or brackets. */
export function isAddressLiteral(hostname: string): boolean {
  return hostname.startsWith("[") || ipaddr.isValid(hostname);
}
