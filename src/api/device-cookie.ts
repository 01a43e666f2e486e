import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { toBase64Url } from "../domain/base64url.ts";
import type { AppEnv } from "./app-env.ts";

const LIFETIME_SECONDS = 365 * 24 * 60 * 60;
const TOKEN = /^[\w-]{22}$/;

/**
 * The token by which the service recognises a browser that has logged in (SIGN-3), and the cookie that keeps the token for a year. The
 * token gives no access.
 */
export function renewDeviceCookie(c: Context<AppEnv>): string {
  const secure = new URL(c.req.url).protocol === "https:";
  const name = secure ? "__Host-device" : "device";
  const known = getCookie(c, name);
  const token = known !== undefined && TOKEN.test(known) ? known : newToken();
  setCookie(c, name, token, { httpOnly: true, sameSite: "Strict", path: "/", secure, maxAge: LIFETIME_SECONDS });
  return token;
}

function newToken(): string {
  return toBase64Url(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
}
