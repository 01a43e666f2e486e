import type { MiddlewareHandler } from "hono";
import { recordRequest } from "../../services/metrics/record-request.ts";
import type { AppEnv } from "../app-env.ts";
import { requestFacts } from "./request-facts.ts";

/** Counts every request for GET /metrics and its key's analytics, when its answer is there: of a stream, when it begins. */
export const countRequest: MiddlewareHandler<AppEnv> = async function countRequest(c, next) {
  const startedAt = Date.now();
  await next();
  const { account, services } = c.var;
  recordRequest(services, { ...requestFacts(c), milliseconds: Date.now() - startedAt, account });
};
