import type { Context, MiddlewareHandler } from "hono";
import { ERRORS } from "../../domain/errors.ts";
import { type Access, judgeAccess } from "../../domain/principal.ts";
import { authenticate, type RequestKind } from "../../services/auth/authenticate.ts";
import type { AppEnv } from "../app-env.ts";
import { readSessionCookie } from "../session-cookie.ts";

/**
 * Lets a request through whose credential may use the endpoint (specification, Authentication).
 * @throws ServiceError 401, 403 or 429
 */
export function requireAccess(access: Access, kind: RequestKind = {}): MiddlewareHandler<AppEnv> {
  return async function requireAccess(c, next) {
    const authentication = await authenticate(readToken(c), c.var, kind);
    const { account } = authentication;
    c.set("account", account);
    if (authentication.outcome === "limited") throw authentication.error;
    switch (judgeAccess(account.principal, access, account.figures.tier)) {
      case "granted":
        return next();
      case "other-tier":
        throw ERRORS.ApiTierRequired();
      case "session-only":
        throw ERRORS.SessionRequired();
      case "missing-scope":
        throw ERRORS.ScopeRequired(access);
    }
  };
}

/** RFC 6750, 2.1; the dashboard's cookie where there is no header. */
function readToken(c: Context<AppEnv>): string {
  const header = c.req.header("Authorization");
  if (header !== undefined) return readBearer(header);
  const cookie = readSessionCookie(c);
  if (cookie === undefined) throw ERRORS.AuthorizationRequired();
  return cookie;
}

/** @throws ServiceError 401 where the scheme is not Bearer or nothing follows it */
export function readBearer(header: string): string {
  const [scheme, token, ...rest] = header.trim().split(/[ \t]+/, 3);
  if (scheme?.toLowerCase() !== "bearer") throw ERRORS.BearerRequired();
  if (token === undefined || rest.length > 0) throw ERRORS.InvalidKey();
  return token;
}
