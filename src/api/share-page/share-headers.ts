import { SHARE_STYLE } from "./share-style.ts";

let hash: Promise<string> | undefined;

/**
 * The headers of the pages: no script runs but the given one, and pictures come from this service alone. The address has the right to the page, so other hosts
 * get no more of it than its origin, which the owner's hotlink rule needs.
 * @param cdnUrl prefix of files' URLs
 * @param script the address of the only script, which talks to this service alone; undefined for none
 */
export async function shareHeaders(cdnUrl: string, script?: string): Promise<Record<string, string>> {
  hash ??= hashOf(SHARE_STYLE);
  const cdn = new URL(cdnUrl).origin;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${await hash}'`,
    `img-src 'self' ${cdn}`,
    `media-src 'self' ${cdn}`,
    ...(script === undefined ? [] : [`script-src ${script}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "private, no-store",
  };
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
