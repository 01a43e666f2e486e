import { TagQuery, TagsSchema } from "../contract/tag.ts";
import { listTags } from "../services/tags/list-tags.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const tags = createRouter();

tags.openapi(
  guarded("images:read", {
    operationId: "listTags",
    method: "get",
    path: "/tags",
    tags: ["images"],
    summary: "The tags of active uploads, most used first",
    description: "Each tag has the number of active uploads that have it.",
    "x-confinable": true,
    request: { query: TagQuery },
    responses: { 200: jsonResponse("The tags", TagsSchema) },
  }),
  async (c) => {
    const { q, ...query } = c.req.valid("query");
    const { rows, nextCursor } = await listTags(accountOf(c), { text: q || undefined, ...query });
    return c.json({ tags: [...rows], pagination: { nextCursor } }, 200);
  },
);
