import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { ERRORS } from "../domain/errors.ts";
import type { Session } from "../services/accounts/open-session.ts";
import type { AppEnv } from "./app-env.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Sets the dashboard's cookie: scripts cannot read it, other sites cannot send it. */
export function setSessionCookie(c: Context<AppEnv>, { token, expiresAt }: Session): void {
  setCookie(c, cookieName(c), token, { ...cookieOptions(c), expires: new Date(expiresAt) });
}

/** Makes the browser forget the session and its cached files of the account (W3C Clear Site Data, 3.1). */
export function clearSessionCookie(c: Context<AppEnv>): void {
  deleteCookie(c, cookieName(c), cookieOptions(c));
  c.header("Clear-Site-Data", '"cache"');
}

/**
 * The token in the cookie, accepted only from the service's own pages (AUTH-6): every other origin must use the header.
 * A sibling host may serve files, and `SameSite` alone does not protect from it, so a change must declare its origin.
 * @returns undefined if there is no acceptable token
 * @throws ServiceError 403 for a change from another origin, or without an origin
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

/** The prefix `__Host-` keeps other hosts of the site from setting the cookie (RFC 6265bis, 4.1.3.2). */
function cookieName(c: Context<AppEnv>): string {
  return isSecure(c) ? "__Host-session" : "session";
}

function cookieOptions(c: Context<AppEnv>) {
  return { httpOnly: true, sameSite: "Strict", path: "/", secure: isSecure(c) } as const;
}

function isSecure(c: Context<AppEnv>): boolean {
  return new URL(c.req.url).protocol === "https:";
}
