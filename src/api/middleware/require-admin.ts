import type { Context, MiddlewareHandler } from "hono";
import { ERRORS } from "../../domain/errors.ts";
import { takeAddressRate } from "../../services/addresses/take-address-rate.ts";
import { authenticate } from "../../services/auth/authenticate.ts";
import { requireRecentProof } from "../../services/auth/recent-proof.ts";
import { secretsEqual } from "../../services/auth/secrets.ts";
import type { AccountContext } from "../../services/context.ts";
import { isOperator, refuseMarked } from "../../services/operator/accounts.ts";
import type { AppEnv } from "../app-env.ts";
import { readSessionCookie } from "../session-cookie.ts";
import { readBearer } from "./access.ts";
import { readEmail, recordAround } from "./record-around.ts";

/**
 * Guard: the bearer token must be ADMIN_TOKEN. Each action is recorded in the audit log before it is carried out.
 * @param action the operation's id; undefined if the endpoint only reads
 * @throws ServiceError 401, 429, 503
 */
export function requireAdmin(action?: string): MiddlewareHandler<AppEnv> {
  return async function requireAdmin(c, next) {
    if (!(await isFromOperator(c))) await refuseStranger(c);
    return action === undefined ? next() : recordAround(c, { action }, next);
  };
}

/**
 * Guard: the bearer token is ADMIN_TOKEN, or the request has the session of an account with the operator's mark (OPER-12). The mark and
 * the suspension are read for each request, so it is the first one after the mark is taken that is refused. A session changes something
 * only with a recent proof (SIGN-1), and no account that has the mark.
 * @param action the operation's id; undefined if the endpoint only reads
 * @throws ServiceError 401, 403, 429, 503
 */
export function requireOperator(action?: string): MiddlewareHandler<AppEnv> {
  const admin = requireAdmin(action);
  return async function requireOperator(c, next) {
    const token = (await isFromOperator(c)) ? undefined : findSessionToken(c);
    if (token === undefined) return admin(c, next);
    const account = await admitMarked(c, token);
    if (action === undefined) return next();
    return recordAround(c, { action, by: account, judge: () => judgeChange(c, account) }, next);
  };
}

/** @throws ServiceError 401, 403, 429 */
async function admitMarked(c: Context<AppEnv>, token: string): Promise<AccountContext> {
  const authentication = await authenticate(token, c.var);
  const { account } = authentication;
  c.set("account", account);
  if (authentication.outcome !== "admitted") throw authentication.error;
  if (!(await isOperator(c.var.services, account.accountId))) throw ERRORS.OperatorRequired();
  return account;
}

/** @throws ServiceError 403 */
async function judgeChange(c: Context<AppEnv>, account: AccountContext): Promise<void> {
  requireRecentProof(account);
  const email = readEmail(c);
  if (email !== undefined) await refuseMarked(c.var.services, email);
}

/** The session of the header, or of the dashboard's cookie if there is no header. Keys and upload tokens are no JWTs. */
function findSessionToken(c: Context<AppEnv>): string | undefined {
  const header = c.req.header("Authorization");
  if (header === undefined) return readSessionCookie(c);
  const [scheme, token = ""] = header.trim().split(/[ \t]+/, 2);
  return scheme?.toLowerCase() === "bearer" && token.split(".", 4).length === 3 ? token : undefined;
}

/** Only such requests count against their address, because a backup makes thousands a minute. @throws ServiceError 401, 429 */
async function refuseStranger(c: Context<AppEnv>): Promise<never> {
  await takeAddressRate(c.var.services, c.var.client);
  const header = c.req.header("Authorization");
  if (header === undefined) throw ERRORS.AuthorizationRequired();
  readBearer(header);
  throw ERRORS.InvalidKey();
}

/** Whether a request to an open endpoint carries the operator's token. */
export async function isFromOperator(c: Context<AppEnv>): Promise<boolean> {
  const [scheme, token = ""] = (c.req.header("Authorization") ?? "").split(" ", 2);
  if (scheme?.toLowerCase() !== "bearer") return false;
  for (const secret of c.var.services.config.adminToken.accepted) if (await secretsEqual(token, secret)) return true;
  return false;
}
