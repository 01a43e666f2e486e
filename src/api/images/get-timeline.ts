import { TimelineQuery, TimelineSchema } from "../../contract/timeline.ts";
import { readTimeline } from "../../services/images/read-timeline.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("images:read", {
  operationId: "getTimeline",
  method: "get",
  path: "/images/timeline",
  tags: ["images"],
  summary: "Count uploads by month or day",
  description: "The uploads that `GET /images` lists for the same `status` and `folderId`.",
  "x-confinable": true,
  request: { query: TimelineQuery },
  responses: { 200: jsonResponse("The months or days", TimelineSchema), ...errorResponses(404) },
});

export const getTimeline = createRouter().openapi(route, async (c) => {
  const { total, buckets } = await readTimeline(accountOf(c), c.req.valid("query"));
  return c.json({ total, buckets: [...buckets] }, 200);
});
