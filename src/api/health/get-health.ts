import { createRoute, z } from "@hono/zod-openapi";
import { checkHealth } from "../../services/health/check-health.ts";
import { openAccess } from "../middleware/open-access.ts";
import { createRouter } from "../router.ts";
import { errorResponses, jsonResponse } from "../schemas.ts";

const route = createRoute({
  method: "get",
  path: "/health",
  tags: ["service"],
  summary: "Whether the service can answer",
  middleware: openAccess,
  responses: { 200: jsonResponse("It can", z.object({ status: z.literal("ok") })), ...errorResponses() },
});

export const getHealth = createRouter().openapi(route, async (c) => {
  await checkHealth(c.var.services);
  return c.json({ status: "ok" as const }, 200);
});
