import { SHARE_STYLE } from "./share-style.ts";

let hash: Promise<string> | undefined;

/**
 * The headers of the pages: only files of this service run or are shown. Trusted Types forbid making scripts or markup from text. The address has
 * the right to the page, so other hosts get no more of it than its origin, which the owner's hotlink rule needs.
 * @param cdnUrl prefix of files' URLs
 */
export async function shareHeaders(cdnUrl: string): Promise<Record<string, string>> {
  hash ??= hashOf(SHARE_STYLE);
  const cdn = new URL(cdnUrl).origin;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${await hash}'`,
    "font-src 'self'",
    `img-src 'self' ${cdn}`,
    `media-src 'self' ${cdn}`,
    `connect-src 'self' ${cdn}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
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
