/** The address that Cloudflare gives to requests of all Workers of other zones ("Cloudflare HTTP headers"). */
const SHARED_BY_WORKERS = "2a06:98c0:3600::103";
const ZONE = /^[a-z0-9.-]{1,253}$/;

/**
 * The client's network address from Cloudflare. An IPv6 address is cut to its first 64 bits: a single customer has all
 * addresses with the same prefix. Workers of other zones share one address, so the zone in `CF-Worker`, which Cloudflare
 * sets, is the client.
 */
export function clientAddressOf(headers: Pick<Headers, "get">): string {
  const address = headers.get("CF-Connecting-IP") ?? "unknown";
  if (address.toLowerCase() === SHARED_BY_WORKERS) return `worker:${readZone(headers.get("CF-Worker") ?? "")}`;
  return address.includes(":") ? expandIpv6(address).slice(0, 4).join(":") : address;
}

function readZone(text: string): string {
  const zone = text.toLowerCase();
  return ZONE.test(zone) ? zone : "unknown";
}

/** The groups of an address, `::` written out (RFC 4291, 2.2). */
function expandIpv6(address: string): string[] {
  const [head = "", tail] = address.split("::", 2);
  const before = head.split(":").filter(Boolean);
  const after = tail?.split(":").filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...new Array<string>(zeros).fill("0"), ...after];
}

const MAX_CHARACTERS = 60;

/** Browsers by a word of their `User-Agent`. Several browsers also name others, so the first match counts. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?(?:iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

/** The device of a `User-Agent` in words for people: "Firefox on Windows", "curl". At most 60 characters. */
export function deviceName(userAgent: string | undefined): string {
  const text = (userAgent ?? "").slice(0, 512);
  const browser = BROWSERS.find(([word]) => word.test(text))?.[1];
  const system = SYSTEMS.find(([word]) => word.test(text))?.[1];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  // The first product that another program names (RFC 9110, 10.1.5).
  const product = /^[\w.!#$%&'*+^`|~-]+/.exec(text)?.[0] ?? "";
  return product === "" ? "Unknown device" : product.slice(0, MAX_CHARACTERS);
}

/** Loopback addresses, which all clients of a local stack share. */
const LOCAL: ReadonlySet<string> = new Set(["unknown", "127.0.0.1", "0:0:0:0"]);

/** Whether all clients have this address, so that no limit by address makes sense. */
export function isLocal(address: string): boolean {
  return LOCAL.has(address);
}
