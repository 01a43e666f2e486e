import type { Context, MiddlewareHandler } from "hono";
import { ERRORS, ServiceError } from "../../domain/errors.ts";
import { findNearestName } from "../../domain/nearest-name.ts";
import { type Access, type AccessVerdict, judgeAccess, requiredScope } from "../../domain/principal.ts";
import { DROP_BYTES } from "../../domain/resumable.ts";
import { allowsOrigin, MAX_ORIGIN_CHARACTERS } from "../../domain/upload-token.ts";
import { takeAddressRate } from "../../services/addresses/take-address-rate.ts";
import { authenticate, type RequestKind } from "../../services/auth/authenticate.ts";
import { requireRecentProof } from "../../services/auth/recent-proof.ts";
import type { AccountContext } from "../../services/context.ts";
import type { AppEnv } from "../app-env.ts";
import { readSessionCookie } from "../session-cookie.ts";

/** The kind of an endpoint's requests. */
export interface GuardedKind extends RequestKind {
  /** A session needs a recent proof (SIGN-1). */
  readonly needsProof?: boolean;
  /** The endpoint keeps to the folder of a confined key (AUTH-13). */
  readonly isConfinable?: boolean;
  /** The endpoint accepts upload tokens (TOK-2). */
  readonly takesToken?: boolean;
}

/**
 * Guard: lets a request through if its credential may use the endpoint (AUTH-1 to AUTH-4).
 * @throws ServiceError 401, 403 or 429
 */
export function requireAccess(access: Access, kind: GuardedKind = {}): MiddlewareHandler<AppEnv> {
  return async function requireAccess(c, next) {
    const authentication = await authenticate(
      readToken(c),
      c.var,
      isDrop(c, kind) ? { ...kind, isChange: false } : kind,
    );
    const { account } = authentication;
    c.set("account", account);
    if (authentication.outcome !== "admitted") throw authentication.error;
    const verdict = judgeAccess(account.principal, access, account.figures.tier, kind);
    if (verdict !== "granted") throw toError(verdict, access);
    refuseOrigin(account, c.req.header("Origin"));
    if (kind.needsProof) requireRecentProof(account);
    return next();
  };
}

/** @throws ServiceError 403 if the page may not use the upload token (TOK-5) */
function refuseOrigin({ principal }: AccountContext, origin: string | undefined): void {
  if (origin === undefined || principal.kind !== "upload-token") return;
  if (!allowsOrigin(principal.limits, origin)) throw ERRORS.OriginNotAllowed(origin.slice(0, MAX_ORIGIN_CHARACTERS));
}

/** The account of a request whose endpoint has `requireAccess`. */
export function accountOf(c: Context<AppEnv>): AccountContext {
  const { account } = c.var;
  if (account === undefined) throw new Error("The endpoint does not require an account");
  return account;
}

/** A small piece has its own limit, one in `DROP_EVERY_MS`, so that it writes one row. */
function isDrop(c: Context<AppEnv>, { isPiece = false }: GuardedKind): boolean {
  const length = c.req.header("Content-Length") ?? "";
  return isPiece && c.req.method === "PATCH" && /^[1-9]\d{0,5}$/.test(length) && Number(length) <= DROP_BYTES;
}

function toError(verdict: Exclude<AccessVerdict, "granted">, access: Access): ServiceError {
  if (verdict === "other-tier") return ERRORS.ApiTierRequired();
  if (verdict === "confined") return ERRORS.KeyConfined();
  if (verdict === "token") return ERRORS.UploadTokenOnly();
  return verdict === "session-only" || access === "session"
    ? ERRORS.SessionRequired()
    : ERRORS.ScopeRequired(requiredScope(access));
}

/** The bearer token (RFC 6750, 2.1), or the dashboard's cookie if there is no header. */
function readToken(c: Context<AppEnv>): string {
  const header = c.req.header("Authorization");
  if (header !== undefined) return readBearer(header);
  const cookie = readSessionCookie(c);
  if (cookie === undefined) throw ERRORS.AuthorizationRequired();
  return cookie;
}

/** @throws ServiceError 401 if the scheme is not Bearer or the token is missing */
export function readBearer(header: string): string {
  const [scheme, token, ...rest] = header.trim().split(/[ \t]+/, 3);
  if (scheme?.toLowerCase() !== "bearer") throw ERRORS.BearerRequired();
  if (token === undefined || rest.length > 0) throw ERRORS.InvalidKey();
  return token;
}

/**
 * Finds the account of a request to an open endpoint by the credential in its header: the request then counts against
 * the account, and the answer has the account's headers (LIM-7). A wrong credential counts as none. Cookies are
 * ignored, because browsers send them with every picture and script of a page.
 * @throws ServiceError 429
 */
export async function identifyCaller(c: Context<AppEnv>): Promise<void> {
  const header = c.req.header("Authorization");
  if (header === undefined || c.var.account !== undefined) return;
  try {
    const authentication = await authenticate(readBearer(header), c.var);
    c.set("account", authentication.account);
    if (authentication.outcome === "limited") throw authentication.error;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.statusCode !== 401) throw error;
  }
}

/**
 * Guard of endpoints that need no account: requests without an account count against their address.
 * @throws ServiceError 429
 */
export const openAccess: MiddlewareHandler<AppEnv> = async function openAccess(c, next) {
  await identifyCaller(c);
  if (c.var.account === undefined) await takeAddressRate(c.var.services, c.var.client);
  return next();
};

/** A client may send any number of parameters, and names of any length. */
const MOST_NAMED = 20;
const LONGEST_NAME = 64;

/**
 * Refuses unknown query parameters, and suggests the nearest known name (SVC-8).
 * @throws ServiceError 400 `invalid_query`
 */
export function refuseUnknownParameters(url: string, known: readonly string[]): void {
  if (!url.includes("?")) return;
  const unknown = new Set<string>();
  for (const name of new URL(url).searchParams.keys()) {
    if (!known.includes(name)) unknown.add(name.slice(0, LONGEST_NAME));
    if (unknown.size === MOST_NAMED) break;
  }
  if (unknown.size === 0) return;
  throw ERRORS.InvalidQuery(Object.fromEntries(Array.from(unknown, (name) => [name, describe(name, known)])));
}

/** A bad value of these has its own error (LIST-2). */
const PAGING = ["page", "limit"];

/**
 * Refuses known query parameters that are sent more than once (SVC-8).
 * @throws ServiceError 400 `invalid_query`; `invalid_paging` if `page` or `limit` is repeated
 */
export function refuseRepeatedParameters(url: string, known: readonly string[]): void {
  if (!url.includes("?")) return;
  const { searchParams } = new URL(url);
  const repeated = known.filter((name) => searchParams.getAll(name).length > 1);
  if (repeated.length === 0) return;
  const details = Object.fromEntries(repeated.map((name) => [name, "Must be sent once, not several times"]));
  throw repeated.some((name) => PAGING.includes(name)) ? ERRORS.InvalidPaging(details) : ERRORS.InvalidQuery(details);
}

/** The guard of an endpoint, followed by the check of its query's names. @param isOpen whether unknown names are ignored */
export function thenCheckedNames(
  guard: MiddlewareHandler<AppEnv>,
  known: readonly string[],
  isOpen: boolean,
): MiddlewareHandler<AppEnv> {
  return (c, next) =>
    guard(c, () => {
      if (!isOpen) refuseUnknownParameters(c.req.url, known);
      refuseRepeatedParameters(c.req.url, known);
      return next();
    });
}

function describe(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  return nearest === undefined ? "Unknown parameter" : `Unknown parameter; did you mean \`${nearest}\`?`;
}
