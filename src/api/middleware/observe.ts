import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { toLogLine } from "../../domain/log-line.ts";
import { recordRequest } from "../../services/metrics/record-request.ts";
import type { AppEnv } from "../app-env.ts";

export const REQUEST_ID_HEADER = "X-Request-Id";

/** As Cloudflare makes it: sixteen hexadecimal digits, and the data centre. */
const CF_RAY = /^[0-9a-f]{16}(-[A-Z]{3})?$/;
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Gives every request an id, which the answer bears, and says and counts what became of it when its answer is there: of a stream, when it
 * begins. Nothing that a client made up is told on: no path, no query, no header, no body.
 */
export const observe: MiddlewareHandler<AppEnv> = async function observe(c, next) {
  const startedAt = Date.now();
  const requestId = toRequestId(c.req.header("cf-ray"));
  c.set("requestId", requestId);
  await next();
  c.res.headers.set(REQUEST_ID_HEADER, requestId);
  const { account, services, failure } = c.var;
  const [method, route] = [METHODS.has(c.req.method) ? c.req.method : "other", routeOf(c)];
  const { status } = c.res;
  const milliseconds = Date.now() - startedAt;
  recordRequest(services, { method, route, status, milliseconds, account });
  const isError = status >= 500;
  if (services.config.requestLog === "errors" && !isError) return;
  const principal = account?.principal;
  const facts = {
    ...{ requestId, method, route, status, ms: milliseconds, accountId: account?.accountId },
    keyId: principal === undefined || principal.kind === "session" ? undefined : principal.keyId,
  };
  const line = toLogLine("request", facts, failure);
  if (isError) console.error(line);
  else console.log(line);
};

/** A client's own `X-Request-Id` is not taken over: it may be anything, and another's. */
function toRequestId(ray: string | undefined): string {
  return ray !== undefined && CF_RAY.test(ray) ? ray : crypto.randomUUID();
}

/** The route as the API's description writes it; `none` where no endpoint was found. */
function routeOf(c: Context<AppEnv>): string {
  const path = matchedRoutes(c).find((matched) => matched.path !== "/*")?.path;
  return path === undefined ? "none" : path.replace(/:([A-Za-z]+)/g, "{$1}");
}
