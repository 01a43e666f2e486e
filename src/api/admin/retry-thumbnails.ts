import { RetriedThumbnailsSchema, RetryThumbnailsBody } from "../../contract/admin.ts";
import { retryThumbnails as retry } from "../../services/thumbnails/retry-thumbnails.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "retryThumbnails",
  method: "post",
  path: "/admin/thumbnails/retry",
  tags: ["operator"],
  summary: "Have missing thumbnails made again",
  description:
    "Announces videos without a thumbnail once more, up to a hundred a call, whether or not one was found to be impossible. Go on with `next`.",
  request: { body: jsonBody(RetryThumbnailsBody) },
  responses: { 200: jsonResponse("How many were announced", RetriedThumbnailsSchema), ...errorResponses(404) },
});

export const retryThumbnails = createRouter().openapi(route, async (c) =>
  c.json(await retry(c.var.services, c.req.valid("json")), 200),
);
