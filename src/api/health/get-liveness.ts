import { AliveSchema } from "../../contract/health.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("unmetered", {
  operationId: "getLiveness",
  method: "get",
  path: "/health/live",
  tags: ["service"],
  summary: "Whether the Worker runs, even if its dependencies are down",
  responses: { 200: jsonResponse("It runs", AliveSchema) },
});

export const getLiveness = createRouter().openapi(route, (c) => c.json({ status: "ok" as const }, 200));
