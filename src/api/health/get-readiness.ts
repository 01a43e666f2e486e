import { ReadinessSchema } from "../../contract/health.ts";
import { ERRORS } from "../../domain/errors.ts";
import { checkReadiness } from "../../services/health/check-readiness.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const RETRY_AFTER_SECONDS = 5;

const route = guarded("unmetered", {
  operationId: "getReadiness",
  method: "get",
  path: "/health/ready",
  tags: ["service"],
  summary: "Whether everything that requests stand on answers",
  description:
    "Asks each dependency for two seconds at most, all at once, and again after five seconds at the earliest. 503 where one is down " +
    "that requests need; `details.dependencies` then says which.",
  responses: { 200: jsonResponse("All that requests need does", ReadinessSchema) },
});

export const getReadiness = createRouter().openapi(route, async (c) => {
  const found = await checkReadiness(c.var.services);
  const dependencies = found.map(({ name, isUp, milliseconds }) => ({
    name,
    status: isUp ? ("up" as const) : ("down" as const),
    ms: milliseconds,
  }));
  if (found.some(({ isUp, isVital }) => isVital && !isUp))
    throw ERRORS.Unavailable(RETRY_AFTER_SECONDS).withDetails({ dependencies });
  const status = found.every(({ isUp }) => isUp) ? ("ready" as const) : ("degraded" as const);
  return c.json({ status, dependencies }, 200);
});
