import { createRoute, z } from "@hono/zod-openapi";
import { ERRORS } from "../../domain/errors.ts";
import { UPLOAD_STATUSES } from "../../domain/upload-status.ts";
import { listImages as list } from "../../services/images/list-images.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonResponse } from "../schemas.ts";
import { toDetails } from "../validation-details.ts";
import { MediaObjectSchema, toMediaObject } from "./media-object.ts";

/** Pages behind this one exist in no library that the largest tier can hold. */
const MAX_PAGE = 10_000_000;
const MAX_LIMIT = 100;

/** Digits only: `Number` would take "1e1", " 5" and "0x5" as well. */
function positiveInteger(max: number) {
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, "Must be a whole number")
    .transform(Number)
    .pipe(z.number().int().min(1).max(max));
}

const Query = z.object({
  page: positiveInteger(MAX_PAGE).default(1).openapi({ type: "integer", minimum: 1, default: 1 }),
  limit: positiveInteger(MAX_LIMIT)
    .default(50)
    .openapi({ type: "integer", minimum: 1, maximum: MAX_LIMIT, default: 50 }),
  status: z.enum([...UPLOAD_STATUSES, "all"]).default("active"),
  folderId: z.string().optional().openapi({
    description: "A folder's id, `root` or `all`. Without it: Root for status `active`, else every folder",
  }),
});

const PaginationSchema = z
  .object({
    page: z.number().int(),
    limit: z.number().int(),
    total: z.number().int(),
    totalPages: z.number().int(),
  })
  .openapi("Pagination");

const route = createRoute({
  method: "get",
  path: "/images",
  tags: ["images"],
  summary: "List uploads, newest first",
  security: bearer("api"),
  middleware: requireAccess("api"),
  request: { query: Query },
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
    const { page, limit } = query;
    const { rows, total } = await list(account, query);
    return c.json(
      {
        images: rows.map((row) => toMediaObject(row, account.config.cdnUrl)),
        pagination: { page, limit, total, totalPages: Math.ceil(total / limit) },
      },
      200,
    );
  },
  (result) => {
    if (result.success) return;
    const { issues } = result.error;
    const details = toDetails(issues);
    const paging = issues.some(({ path }) => path[0] === "page" || path[0] === "limit");
    throw paging ? ERRORS.InvalidPaging(details) : ERRORS.InvalidQuery(details);
  },
);
