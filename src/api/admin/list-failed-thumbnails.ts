import { FailedThumbnailsQuery, FailedThumbnailsSchema } from "../../contract/operator.ts";
import { listFailedThumbnails as list } from "../../services/thumbnails/list-failed-thumbnails.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "listFailedThumbnails",
  method: "get",
  path: "/admin/thumbnails/failed",
  tags: ["operator"],
  summary: "Videos that will have no thumbnail, and why",
  description: "A call looks into fifty accounts at most. `POST /admin/thumbnails/retry` has them made again.",
  request: { query: FailedThumbnailsQuery },
  responses: { 200: jsonResponse("Up to a hundred, of one account", FailedThumbnailsSchema), ...errorResponses(404) },
});

export const listFailedThumbnails = createRouter().openapi(route, async (c) =>
  c.json(await list(c.var.services, c.req.valid("query")), 200),
);
