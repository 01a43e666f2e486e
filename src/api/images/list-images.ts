import { createRoute, z } from "@hono/zod-openapi";
import { ERRORS } from "../../domain/errors.ts";
import { listImages as list } from "../../services/images/list-images.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonResponse } from "../schemas.ts";
import { toDetails } from "../validation-details.ts";
import { ListQuery } from "./list-query.ts";
import { MediaObjectSchema, toMediaObject } from "./media-object.ts";

const PaginationSchema = z
  .object({
    page: z.number().int(),
    limit: z.number().int(),
    total: z.number().int(),
    totalPages: z.number().int(),
    nextCursor: z.string().nullable().openapi({ description: "For `cursor`; null on the last page" }),
  })
  .openapi("Pagination");

const route = createRoute({
  method: "get",
  path: "/images",
  tags: ["images"],
  summary: "List uploads, newest first",
  description: "All parameters together: an upload is shown where each of them holds.",
  security: bearer("api"),
  middleware: requireAccess("api"),
  request: { query: ListQuery },
  responses: {
    200: jsonResponse("A page", z.object({ images: z.array(MediaObjectSchema), pagination: PaginationSchema })),
    ...errorResponses(400, 401, 403, 404),
  },
});

export const listImages = createRouter().openapi(
  route,
  async (c) => {
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
      from: query.from,
      to: query.to,
      mimePrefix: query.mimePrefix,
      minSizeBytes: query.minSize,
      maxSizeBytes: query.maxSize,
      favorite: favorite === undefined ? undefined : favorite === "true",
      tags: tag ? [...tags, tag] : tags,
      excludedTags: excludeTags,
    });
    return c.json(
      {
        images: rows.map((row) => toMediaObject(row, account.config.cdnUrl)),
        pagination: { page, limit, total, totalPages: Math.ceil(total / limit), nextCursor },
      },
      200,
    );
  },
  (result) => {
    if (result.success) return;
    const { issues } = result.error;
    const details = toDetails(issues);
    const paging = issues.filter(({ path }) => path[0] === "page" || path[0] === "limit");
    throw paging.length > 0 ? ERRORS.InvalidPaging(toDetails(paging)) : ERRORS.InvalidQuery(details);
  },
);
