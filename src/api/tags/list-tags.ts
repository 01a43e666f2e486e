import { TagQuery, TagsSchema } from "../../contract/tag.ts";
import { listTags as list } from "../../services/tags/list-tags.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("api", {
  operationId: "listTags",
  method: "get",
  path: "/tags",
  tags: ["images"],
  summary: "The tags of active uploads, the most used first",
  request: { query: TagQuery },
  responses: { 200: jsonResponse("The tags", TagsSchema) },
});

export const listTags = createRouter().openapi(route, async (c) => {
  const { q, limit } = c.req.valid("query");
  return c.json({ tags: await list(accountOf(c), { text: q || undefined, limit }) }, 200);
});
