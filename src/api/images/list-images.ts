import { ListQuery } from "../../contract/list-query.ts";
import { ImagePageSchema } from "../../contract/media-object.ts";
import { listImages as list } from "../../services/images/list-images.ts";
import { toMediaObject } from "../../services/images/to-media-object.ts";
import { openPreviewUrls } from "../../services/previews/preview-urls.ts";
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
  const query = c.req.valid("query");
  const { page, limit, tag, tags = [], excludeTags = [], favorite } = query;
  const { rows, total, nextCursor } = await list(account, {
    page,
    limit,
    cursor: query.cursor,
    status: query.status,
    folderId: query.folderId,
    search: query.q || undefined,
    externalId: query.externalId,
    from: query.from,
    to: query.to,
    takenFrom: query.takenFrom,
    takenTo: query.takenTo,
    sorting: { by: query.sort, order: query.order },
    mimePrefix: query.mimePrefix,
    minSizeBytes: query.minSize,
    maxSizeBytes: query.maxSize,
    favorite: favorite === undefined ? undefined : favorite === "true",
    visibility: query.visibility,
    sha256: query.sha256,
    tags: tag ? [...tags, tag] : tags,
    excludedTags: excludeTags,
  });
  const urlsOf = await openPreviewUrls(account);
  const images = await Promise.all(
    rows.map(async (row) => toMediaObject(row, account.config.cdnUrl, await urlsOf(row))),
  );
  return c.json(
    {
      images,
      pagination: { page, limit, total, totalPages: Math.ceil(total / limit), nextCursor },
    },
    200,
  );
});
