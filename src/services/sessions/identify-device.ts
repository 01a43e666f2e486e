import type { SessionOrigin } from "../../meter/books/session-store.ts";
import { hashSecret } from "../auth/secrets.ts";

/** The sender of a request that opens a session. */
export interface SessionClient extends SessionOrigin {
  /** The token of the browser's device cookie. */
  readonly deviceToken?: string | undefined;
}

/**
 * Digests of a device's identifying facts: the cookie of its browser, and its program together with its address. Programs keep no cookies,
 * and browsers change their address.
 */
export function deviceDigests({ device, address, deviceToken }: SessionClient): Promise<string[]> {
  const texts = [`program ${device} ${address}`, ...(deviceToken === undefined ? [] : [`cookie ${deviceToken}`])];
  return Promise.all(texts.map(hashSecret));
}
