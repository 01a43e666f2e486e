import { z } from "@hono/zod-openapi";
import { checkHealth } from "../../services/health/check-health.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("open", {
  operationId: "getHealth",
  method: "get",
  path: "/health",
  tags: ["service"],
  summary: "Whether the service works",
  responses: { 200: jsonResponse("It works", z.object({ status: z.literal("ok") })) },
});

export const getHealth = createRouter().openapi(route, async (c) => {
  await checkHealth(c.var.services);
  return c.json({ status: "ok" as const }, 200);
});
