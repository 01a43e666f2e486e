import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors as honoCors } from "hono/cors";
import { minuteWindow } from "../../domain/calendar.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isExposed, STRICT_TRANSPORT, secureAddress } from "../../domain/https-only.ts";
import { MAX_JSON_BYTES } from "../../domain/limits.ts";
import { toOperations } from "../../domain/operations.ts";
import type { AppEnv } from "../app-env.ts";
import { identifyCaller } from "./identify-caller.ts";
import { REQUEST_ID_HEADER } from "./log-request.ts";

/**
 * Only HTTPS is answered, except on loopback (SVC-9): other reads are redirected, everything else is refused.
 * @throws ServiceError 403
 */
export const httpsOnly: MiddlewareHandler<AppEnv> = async function httpsOnly(c, next) {
  const url = new URL(c.req.url);
  if (isExposed(url)) {
    const secure = secureAddress(c.req.raw, url);
    if (secure === undefined) throw ERRORS.HttpsRequired();
    return c.redirect(secure, 308);
  }
  await next();
  if (url.protocol === "https:") c.res.headers.set(STRICT_TRANSPORT.name, STRICT_TRANSPORT.value);
};

/** Uploads are read as a stream, also with a JSON type. */
const UPLOAD_PATH = "/images/upload";

const limitJson = bodyLimit({
  maxSize: MAX_JSON_BYTES,
  onError: async (c) => {
    // The endpoint's guard has not run yet, so the account is looked up here for the answer's headers.
    await identifyCaller(c);
    throw ERRORS.BodyTooLarge(MAX_JSON_BYTES);
  },
});

/**
 * JSON is held whole in memory, so its size is limited before it is read. Other bodies are read as a stream (uploads)
 * or not at all: a file sent to an unknown path is a 404, not a 413.
 * @throws ServiceError 413
 */
export const limitBody: MiddlewareHandler<AppEnv> = async function limitBody(c, next) {
  const isRead = /json/i.test(c.req.header("Content-Type") ?? "") && c.req.path !== UPLOAD_PATH;
  return isRead ? limitJson(c, next) : next();
};

/** Headers of every response of the API (LIM-7); exposed to scripts of other origins. */
export const USAGE_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Operations-Used",
  "X-Operations-Limit",
  "X-Storage-Used",
  "X-Storage-Limit",
] as const;

type UsageHeader = (typeof USAGE_HEADERS)[number];

/** Writes the seven headers from the last answer of the request's meter. Without an account the usage figures are 0. */
export const usageHeaders: MiddlewareHandler<AppEnv> = async function usageHeaders(c, next) {
  await next();
  const figures = c.var.account?.figures;
  const rate = c.var.account?.rate ?? c.var.client.rate;
  const limit = rate?.limit ?? c.var.services.config.addressRatePerMinute;
  const values: Record<UsageHeader, number> = {
    "X-RateLimit-Limit": limit,
    "X-RateLimit-Remaining": rate?.remaining ?? limit,
    "X-RateLimit-Reset": Math.ceil((rate?.resetAt ?? minuteWindow(c.var.services.now()).endsAt) / 1000),
    "X-Operations-Used": toOperations(figures?.operationsUsedTenths ?? 0),
    "X-Operations-Limit": figures?.operationsLimit ?? 0,
    "X-Storage-Used": figures?.storageUsedBytes ?? 0,
    "X-Storage-Limit": figures?.storageLimitBytes ?? 0,
  };
  for (const name of USAGE_HEADERS) c.res.headers.set(name, String(values[name]));
};

/** Endpoints that take passwords and codes. Visitors' browsers must not be used to guess them. */
const AUTH_PATH = "/auth/";

/**
 * CORS for every origin and method (AUTH-10): other origins authenticate by header, never by cookie. Every request
 * header of a preflight is allowed, because upload widgets add their own, such as `X-Requested-With` and
 * `Cache-Control`. Under `/auth/` only the operator's origins (`AUTH_ORIGINS`) get it: a browser then sends no log-in for
 * another page, because JSON needs a preflight.
 */
const OPTIONS = {
  allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  exposeHeaders: [...USAGE_HEADERS, "Retry-After", "X-Original-Size", REQUEST_ID_HEADER],
  maxAge: 86_400,
};

const toAll = honoCors({ ...OPTIONS, origin: "*" });
const toConfigured = honoCors({
  ...OPTIONS,
  origin: (origin, c: Context<AppEnv>) => (c.var.services.config.authOrigins.includes(origin) ? origin : null),
});

export const cors: MiddlewareHandler<AppEnv> = function cors(c, next) {
  return c.req.path.startsWith(AUTH_PATH) ? toConfigured(c, next) : toAll(c, next);
};
