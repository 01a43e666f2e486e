import { ListQuery } from "../../contract/list-query.ts";
import { ImagePageSchema } from "../../contract/media-object.ts";
import { listImages as list } from "../../services/images/list-images.ts";
import { showUploads } from "../../services/images/show-uploads.ts";
import { guarded } from "../guarded.ts";
import { accountOf } from "../middleware/access.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("images:read", {
  operationId: "listImages",
  method: "get",
  path: "/images",
  tags: ["images"],
  summary: "List uploads, newest first by default",
  description: "Parameters combine: listed uploads match all of them.",
  "x-confinable": true,
  request: { query: ListQuery },
  responses: {
    200: jsonResponse("A page", ImagePageSchema),
    ...errorResponses(404),
  },
});

export const listImages = createRouter().openapi(route, async (c) => {
  const account = accountOf(c);
  const { q, sort, order, minSize, maxSize, tag, tags = [], excludeTags = [], ...query } = c.req.valid("query");
  const { page, limit } = query;
  const { rows, total, nextCursor } = await list(account, {
    ...query,
    search: q || undefined,
    sorting: { by: sort, order },
    minSizeBytes: minSize,
    maxSizeBytes: maxSize,
    favorite: toBoolean(query.favorite),
    expires: toBoolean(query.expires),
    hasAlt: toBoolean(query.hasAlt),
    takenDown: toBoolean(query.takenDown),
    tags: tag ? [...tags, tag] : tags,
    excludedTags: excludeTags,
  });
  const images = await showUploads(account, rows);
  return c.json(
    {
      images,
      pagination: { page, limit, total, totalPages: Math.ceil(total / limit), nextCursor },
    },
    200,
  );
});

function toBoolean(flag: "true" | "false" | undefined): boolean | undefined {
  return flag === undefined ? undefined : flag === "true";
}
