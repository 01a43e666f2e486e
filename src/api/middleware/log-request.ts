import type { MiddlewareHandler } from "hono";
import { toLogLine } from "../../domain/log-line.ts";
import type { AppEnv } from "../app-env.ts";
import { requestFacts } from "./request-facts.ts";

export const REQUEST_ID_HEADER = "X-Request-Id";

/** As Cloudflare makes it: sixteen hexadecimal digits, and the data centre. */
const CF_RAY = /^[0-9a-f]{16}(-[A-Z]{3})?$/;

/**
 * Gives every request an id, which the answer bears, and says what became of it when its answer is there: of a stream, when it
 * begins.
 */
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
  const principal = account?.principal;
  const facts = {
    ...{ requestId, method, route, status, ms: Date.now() - startedAt, accountId: account?.accountId },
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
