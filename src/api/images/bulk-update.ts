import { createRoute, z } from "@hono/zod-openapi";
import { updateImages } from "../../services/images/update-images.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, IdsBody, jsonBody, jsonResponse, UpdatedSchema } from "../schemas.ts";
import { FolderField, TagsField } from "./update-image.ts";

const BulkChangeBody = z
  .strictObject({
    ids: IdsBody.shape.ids,
    folderId: FolderField.optional(),
    addTags: TagsField.optional(),
    removeTags: TagsField.optional(),
    favorite: z.boolean().optional(),
  })
  .openapi("BulkChange");

const route = createRoute({
  method: "post",
  path: "/images/bulk-update",
  tags: ["images"],
  summary: "Move, tag or mark many uploads",
  description: "All or none. Ids that are unknown or another account's are passed over; trashed uploads change too.",
  security: bearer("api"),
  middleware: requireAccess("api"),
  request: { body: jsonBody(BulkChangeBody) },
  responses: {
    200: jsonResponse("How many really changed", UpdatedSchema),
    ...errorResponses(400, 401, 403, 404, 413, 415),
  },
});

export const bulkUpdate = createRouter().openapi(route, async (c) => {
  const { ids, ...change } = c.req.valid("json");
  return c.json({ updated: await updateImages(accountOf(c), ids, change) }, 200);
});
