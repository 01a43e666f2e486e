import { z } from "@hono/zod-openapi";
import { AliveSchema, type DependencySchema, ReadinessSchema } from "../contract/health.ts";
import { ERRORS } from "../domain/errors.ts";
import { checkHealth, checkReadiness, type Dependency } from "../services/health/check-health.ts";
import { guarded } from "./guarded.ts";
import { jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const health = createRouter();

health.openapi(
  guarded("open", {
    operationId: "getHealth",
    method: "get",
    path: "/health",
    tags: ["service"],
    summary: "Whether the service works",
    description: "Asks the directory's database only. `GET /health/ready` asks every dependency.",
    responses: { 200: jsonResponse("It works", z.object({ status: z.literal("ok") })) },
  }),
  async (c) => {
    await checkHealth(c.var.services);
    return c.json({ status: "ok" as const }, 200);
  },
);

health.openapi(
  guarded("unmetered", {
    operationId: "getLiveness",
    method: "get",
    path: "/health/live",
    tags: ["service"],
    summary: "Whether the Worker runs, even if its dependencies are down",
    description: "A probe that restarts a process asks here.",
    responses: { 200: jsonResponse("It runs", AliveSchema) },
  }),
  (c) => c.json({ status: "ok" as const }, 200),
);

const RETRY_AFTER_SECONDS = 5;

health.openapi(
  guarded("unmetered", {
    operationId: "getReadiness",
    method: "get",
    path: "/health/ready",
    tags: ["service"],
    summary: "Whether every dependency answers",
    description:
      "Checks all dependencies concurrently, for two seconds at most; the result is reused for five seconds. 503 if a dependency that " +
      "requests need is down; `details.dependencies` then lists them.",
    responses: { 200: jsonResponse("All dependencies that requests need are up", ReadinessSchema) },
  }),
  async (c) => {
    const found = await checkReadiness(c.var.services);
    const dependencies = found.map(toDependencyBody);
    if (found.some(({ isUp, isVital }) => isVital && !isUp))
      throw ERRORS.Unavailable(RETRY_AFTER_SECONDS).withDetails({ dependencies });
    const status = found.every(({ isUp }) => isUp) ? ("ready" as const) : ("degraded" as const);
    return c.json({ status, dependencies }, 200);
  },
);

export function toDependencyBody({ name, isUp, milliseconds, ffmpeg }: Dependency): z.infer<typeof DependencySchema> {
  return { name, status: isUp ? "up" : "down", ms: milliseconds, ...(ffmpeg === undefined ? {} : { ffmpeg }) };
}
