import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import type { SessionSchema } from "../../contract/account.ts";
import type { Session } from "../../services/accounts/open-session.ts";
import type { Account } from "../../services/records.ts";
import { toAccountBody } from "../account/to-account-body.ts";
import type { AppEnv } from "../app-env.ts";
import { SESSION_COOKIE } from "../middleware/require-access.ts";

export function toSessionBody(session: Session, account: Account): z.infer<typeof SessionSchema> {
  const { token, expiresAt } = session;
  return { token, expiresAt: new Date(expiresAt).toISOString(), account: toAccountBody(account) };
}

/** For the dashboard: scripts cannot read it, other sites cannot send it. */
export function setSessionCookie(c: Context<AppEnv>, { token, expiresAt }: Session): void {
  setCookie(c, SESSION_COOKIE, token, { ...cookieOptions(c), expires: new Date(expiresAt) });
}

export function clearSessionCookie(c: Context<AppEnv>): void {
  deleteCookie(c, SESSION_COOKIE, cookieOptions(c));
}

function cookieOptions(c: Context<AppEnv>) {
  return { httpOnly: true, sameSite: "Strict", path: "/", secure: new URL(c.req.url).protocol === "https:" } as const;
}
