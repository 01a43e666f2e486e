import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";

/**
 * The client's network address, as Cloudflare tells it. Of IPv6 only the first 64 bits: a single customer has all the
 * addresses behind them.
 */
export function clientAddress(c: Context<AppEnv>): string {
  const address = c.req.header("CF-Connecting-IP") ?? "unknown";
  return address.includes(":") ? expandIpv6(address).slice(0, 4).join(":") : address;
}

/** The groups of an address, `::` written out (RFC 4291, 2.2). */
function expandIpv6(address: string): string[] {
  const [head = "", tail] = address.split("::", 2);
  const before = head.split(":").filter(Boolean);
  const after = tail?.split(":").filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...new Array<string>(zeros).fill("0"), ...after];
}
