import { ServiceOverviewSchema } from "../../contract/service-overview.ts";
import { readOverview } from "../../services/operator/overview.ts";
import { guarded } from "../guarded.ts";
import { toDependencyBody } from "../health.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

/** Health and figures of the service at one moment. */
export const overview = createRouter().openapi(
  guarded("operator", {
    operationId: "getServiceOverview",
    method: "get",
    path: "/admin/overview",
    tags: ["operator"],
    summary: "Health, queues, and the figures of the last two weeks",
    description:
      "The figures of `GET /health/ready` and `GET /metrics` for people. A part that does not answer within seconds is left out. Hours without a request are left out.",
    responses: { 200: jsonResponse("The overview", ServiceOverviewSchema) },
  }),
  async (c) => {
    const found = await readOverview(c.var.services);
    return c.json(
      {
        dependencies: found.dependencies.map(toDependencyBody),
        queues: [...found.queues],
        deadLetters: found.deadLetters,
        overdueIntents: found.overdueIntents,
        databases: [...found.databases],
        thumbnails: [...found.thumbnails],
        durations: [...found.durations],
        hours: found.hours.map(({ at, ...counts }) => ({ at: new Date(at).toISOString(), ...counts })),
      },
      200,
    );
  },
);
