import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { ERRORS } from "../domain/errors.ts";
import type { Session } from "../services/accounts/open-session.ts";
import type { AppEnv } from "./app-env.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** For the dashboard: scripts cannot read it, other sites cannot send it. */
export function setSessionCookie(c: Context<AppEnv>, { token, expiresAt }: Session): void {
  setCookie(c, cookieName(c), token, { ...cookieOptions(c), expires: new Date(expiresAt) });
}

/** Has the browser forget the session, and what it keeps of the account's pictures (W3C Clear Site Data, 3.1). */
export function clearSessionCookie(c: Context<AppEnv>): void {
  deleteCookie(c, cookieName(c), cookieOptions(c));
  c.header("Clear-Site-Data", '"cache"');
}

/**
 * The token in the cookie, which counts only where the request comes from our own pages: every other origin must use the header. Files may
 * be served by a sibling host, from which `SameSite` alone does not protect, so a change has to say where it comes from.
 * @returns undefined where there is none that counts
 * @throws ServiceError 403 for a change that does not come from our own pages, or does not say so
 */
export function readSessionCookie(c: Context<AppEnv>): string | undefined {
  const token = getCookie(c, cookieName(c));
  if (token === undefined || token === "") return undefined;
  const site = c.req.header("Sec-Fetch-Site");
  const origin = c.req.header("Origin");
  const isOther = origin !== undefined && origin !== new URL(c.req.url).origin;
  if (SAFE_METHODS.has(c.req.method)) {
    const isForeign = site !== undefined && site !== "same-origin" && site !== "none";
    return isForeign || isOther ? undefined : token;
  }
  const isOwn = site === "same-origin" || (site === undefined && origin !== undefined);
  if (!isOwn || isOther) throw ERRORS.ForeignOrigin();
  return token;
}

/** Over HTTPS no other host of the site can set a cookie of this name (RFC 6265bis, 4.1.3.2). */
function cookieName(c: Context<AppEnv>): string {
  return isSecure(c) ? "__Host-session" : "session";
}

function cookieOptions(c: Context<AppEnv>) {
  return { httpOnly: true, sameSite: "Strict", path: "/", secure: isSecure(c) } as const;
}

function isSecure(c: Context<AppEnv>): boolean {
  return new URL(c.req.url).protocol === "https:";
}
