import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors as honoCors } from "hono/cors";
import { matchedRoutes } from "hono/route";
import { toOperations } from "../../domain/allowance.ts";
import { minuteWindow } from "../../domain/calendar.ts";
import { clientAddressOf, deviceName } from "../../domain/client.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isExposed, STRICT_TRANSPORT, secureAddress } from "../../domain/https-only.ts";
import { MAX_IMPORT_JSON_BYTES } from "../../domain/imports.ts";
import { MAX_JSON_BYTES } from "../../domain/limits.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { Client } from "../../services/context.ts";
import { recordRequest } from "../../services/metrics/counts.ts";
import { openServices } from "../../services/open-services.ts";
import type { AppEnv } from "../app-env.ts";
import { identifyCaller } from "./access.ts";
import { LogSampler } from "./log-sampler.ts";

/** Opens the request's services. */
export const openRequest: MiddlewareHandler<AppEnv> = async function openRequest(c, next) {
  const url = new URL(c.req.url);
  c.set("url", url);
  c.set("services", openServices(c.env, { origin: url.origin, waitUntil: (work) => c.executionCtx.waitUntil(work) }));
  c.set("client", new RequestClient(c.req.raw.headers));
  await next();
};

/** Few requests need their client's address and device, so they are read when they are needed. */
class RequestClient implements Client {
  readonly #headers: Headers;
  deviceToken?: string;
  rate: Client["rate"];

  constructor(headers: Headers) {
    this.#headers = headers;
  }

  get address() {
    return clientAddressOf(this.#headers);
  }

  get device() {
    return deviceName(this.#headers.get("User-Agent") ?? undefined);
  }
}

export const REQUEST_ID_HEADER = "X-Request-Id";

const FILE_ROUTE = "/uploads/*";
const sampler = new LogSampler({ refusal: 20, file: 0 });

/** Cloudflare's form: sixteen hexadecimal digits, and the data centre. */
const CF_RAY = /^[0-9a-f]{16}(-[A-Z]{3})?$/;

/** Gives every request an id, which its answer carries, and logs the request when its answer begins. */
export const logRequest: MiddlewareHandler<AppEnv> = async function logRequest(c, next) {
  const startedAt = Date.now();
  const requestId = toRequestId(c.req.header("cf-ray"));
  c.set("requestId", requestId);
  await next();
  c.res.headers.set(REQUEST_ID_HEADER, requestId);
  const { account, services, failure } = c.var;
  const isError = c.res.status >= 500;
  if (services.config.requestLog === "errors" && !isError) return;
  const { method, route, status } = requestFacts(c);
  const kept = isError ? 1 : sampler.take(kindOf(route, status, account !== undefined), startedAt);
  if (kept === 0) return;
  const principal = account?.principal;
  const facts = {
    requestId,
    method,
    route,
    status,
    ms: Date.now() - startedAt,
    accountId: account?.accountId,
    // The line stands for this many requests of its kind.
    ...(kept === 1 ? {} : { of: kept }),
    keyId: principal === undefined || principal.kind === "session" ? undefined : principal.keyId,
  };
  const line = toLogLine("request", facts, failure);
  if (isError) console.error(line);
  else console.log(line);
};

/**
 * Views and refusals without an account can come in floods that cost more to log than to answer. The requests of an account have a limit.
 * @returns undefined if each request is logged
 */
function kindOf(route: string, status: number, hasAccount: boolean): "file" | "refusal" | undefined {
  if (route === FILE_ROUTE) return "file";
  return status >= 400 && !hasAccount ? "refusal" : undefined;
}

/** A client's own `X-Request-Id` is ignored: it may be anything, even another request's. */
function toRequestId(ray: string | undefined): string {
  return ray !== undefined && CF_RAY.test(ray) ? ray : crypto.randomUUID();
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Facts of an answered request for logs and metrics. None of them comes from the client's text: they have no path, query, header or body. */
interface RequestFacts {
  readonly method: string;
  /** The route as in the API's description; `none` if no endpoint matches. */
  readonly route: string;
  readonly status: number;
}

function requestFacts(c: Context<AppEnv>): RequestFacts {
  const path = matchedRoutes(c).find((matched) => matched.path !== "/*")?.path;
  return {
    method: METHODS.has(c.req.method) ? c.req.method : "other",
    route: path === undefined ? "none" : path.replace(/:([A-Za-z]+)/g, "{$1}"),
    status: c.res.status,
  };
}

/** Counts every request for GET /metrics and its key's analytics when its answer begins. */
export const countRequest: MiddlewareHandler<AppEnv> = async function countRequest(c, next) {
  const startedAt = Date.now();
  await next();
  const { account, services } = c.var;
  recordRequest(services, { ...requestFacts(c), milliseconds: Date.now() - startedAt, account });
};

/**
 * Only HTTPS is answered, except on loopback (SVC-9): other reads are redirected, everything else is refused.
 * @throws ServiceError 403
 */
export const httpsOnly: MiddlewareHandler<AppEnv> = async function httpsOnly(c, next) {
  const url = c.get("url");
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

/** Its items may have long URLs. */
const IMPORT_PATH = "/images/import";

function jsonLimit(maxSize: number): MiddlewareHandler<AppEnv> {
  return bodyLimit({
    maxSize,
    onError: async (c) => {
      // The endpoint's guard has not run yet, so the account is looked up here for the answer's headers.
      await identifyCaller(c);
      throw ERRORS.BodyTooLarge(maxSize);
    },
  });
}

const limitJson = jsonLimit(MAX_JSON_BYTES);
const limitImport = jsonLimit(MAX_IMPORT_JSON_BYTES);

/**
 * JSON is held whole in memory, so its size is limited before it is read. Other bodies are read as a stream (uploads)
 * or not at all: a file sent to an unknown path is a 404, not a 413.
 * @throws ServiceError 413
 */
export const limitBody: MiddlewareHandler<AppEnv> = async function limitBody(c, next) {
  const isRead = /json/i.test(c.req.header("Content-Type") ?? "") && c.req.path !== UPLOAD_PATH;
  if (!isRead) return next();
  return c.req.path === IMPORT_PATH ? limitImport(c, next) : limitJson(c, next);
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

/** Writes the seven headers from the last answer of the request's meter, and `nosniff` (SVC-5). Without an account the usage figures are 0. */
export const usageHeaders: MiddlewareHandler<AppEnv> = async function usageHeaders(c, next) {
  await next();
  const { account, client, services } = c.var;
  const figures = account?.figures;
  const rate = account?.rate ?? client.rate;
  const limit = rate?.limit ?? services.config.addressRatePerMinute;
  const values: Record<UsageHeader, number> = {
    "X-RateLimit-Limit": limit,
    "X-RateLimit-Remaining": rate?.remaining ?? limit,
    "X-RateLimit-Reset": Math.ceil((rate?.resetAt ?? minuteWindow(services.now()).endsAt) / 1000),
    "X-Operations-Used": toOperations(figures?.operationsUsedTenths ?? 0),
    "X-Operations-Limit": figures?.operationsLimit ?? 0,
    "X-Storage-Used": figures?.storageUsedBytes ?? 0,
    "X-Storage-Limit": figures?.storageLimitBytes ?? 0,
  };
  const { headers } = c.res;
  for (const name of USAGE_HEADERS) headers.set(name, String(values[name]));
  headers.set("X-Content-Type-Options", "nosniff");
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

const EXPOSED = OPTIONS.exposeHeaders.join(",");

const toAll = honoCors({ ...OPTIONS, origin: "*" });
const toConfigured = honoCors({
  ...OPTIONS,
  origin: (origin, c: Context<AppEnv>) => (c.var.services.config.authOrigins.includes(origin) ? origin : null),
});

export const cors: MiddlewareHandler<AppEnv> = async function cors(c, next) {
  if (c.req.path.startsWith(AUTH_PATH)) return toConfigured(c, next);
  if (c.req.method === "OPTIONS") return toAll(c, next);
  await next();
  // Hono's middleware sets them before the answer exists. Each answer is then copied twice.
  c.res.headers.set("Access-Control-Allow-Origin", "*");
  c.res.headers.set("Access-Control-Expose-Headers", EXPOSED);
};
