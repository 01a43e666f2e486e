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
  summary: "Whether every dependency answers",
  description:
    "Checks all dependencies concurrently, for two seconds at most; the result is reused for five seconds. 503 if a dependency that " +
    "requests need is down; `details.dependencies` then lists them.",
  responses: { 200: jsonResponse("All dependencies that requests need are up", ReadinessSchema) },
});

export const getReadiness = createRouter().openapi(route, async (c) => {
  const found = await checkReadiness(c.var.services);
  const dependencies = found.map(({ name, isUp, milliseconds, ffmpeg }) => ({
    name,
    status: isUp ? ("up" as const) : ("down" as const),
    ms: milliseconds,
    ...(ffmpeg === undefined ? {} : { ffmpeg }),
  }));
  if (found.some(({ isUp, isVital }) => isVital && !isUp))
    throw ERRORS.Unavailable(RETRY_AFTER_SECONDS).withDetails({ dependencies });
  const status = found.every(({ isUp }) => isUp) ? ("ready" as const) : ("degraded" as const);
  return c.json({ status, dependencies }, 200);
});
