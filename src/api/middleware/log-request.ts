import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { toLogLine } from "../../domain/log-line.ts";
import { recordRequest } from "../../services/metrics/counts.ts";
import type { AppEnv } from "../app-env.ts";
import { LogSampler } from "./log-sampler.ts";

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
  const { method, route, status } = requestFacts(c);
  const isError = status >= 500;
  if (services.config.requestLog === "errors" && !isError) return;
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

export function requestFacts(c: Context<AppEnv>): RequestFacts {
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
