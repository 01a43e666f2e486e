import { z } from "@hono/zod-openapi";
import { METRICS } from "../domain/metrics.ts";
import { formatMetrics, readMetrics } from "../services/metrics/read-metrics.ts";
import { guarded } from "./guarded.ts";
import { createRouter } from "./router.ts";

const TYPES = {
  text: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
} as const;

const SAMPLE = `# HELP media_up ${METRICS.media_up.help}\n# TYPE media_up gauge\nmedia_up{dependency="storage"} 1`;

const route = guarded("admin", {
  operationId: "getMetrics",
  method: "get",
  path: "/metrics",
  tags: ["operator"],
  summary: "Metrics of the service and its stores",
  description:
    "Prometheus reads it with the operator's token as bearer token. It answers within seconds: a dependency that does not answer has no series, and a `media_up` of 0.",
  responses: {
    200: {
      description: "Prometheus text, or OpenMetrics by `Accept`",
      content: {
        "text/plain": { schema: z.string(), example: `${SAMPLE}\n` },
        "application/openmetrics-text": { schema: z.string(), example: `${SAMPLE}\n# EOF\n` },
      },
    },
  },
});

export const getMetrics = createRouter().openapi(route, async (c) => {
  const format = /application\/openmetrics-text/.test(c.req.header("Accept") ?? "") ? "openmetrics" : "text";
  const text = formatMetrics(await readMetrics(c.var.services), format);
  return c.text(text, 200, { "Content-Type": TYPES[format], "Cache-Control": "no-store" });
});
