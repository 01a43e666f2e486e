import { createRoute } from "@hono/zod-openapi";
import type { UploadStatus } from "../../domain/upload-status.ts";
import { changeStatus } from "../../services/images/change-status.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, IdsBody, jsonBody, jsonResponse, UpdatedSchema } from "../schemas.ts";

export const bulkTrash = bulkEndpoint("/images/bulk-trash", "trash", "Move uploads to the trash");
export const bulkRestore = bulkEndpoint("/images/bulk-restore", "active", "Restore uploads from the trash");

/** The two mirror each other: the same body, the same count. */
function bulkEndpoint(path: string, to: UploadStatus, summary: string) {
  const route = createRoute({
    method: "post",
    path,
    tags: ["images"],
    summary,
    description: "Ids that are unknown, another account's or already there are passed over.",
    security: bearer("api"),
    middleware: requireAccess("api"),
    request: { body: jsonBody(IdsBody) },
    responses: { 200: jsonResponse("How many moved", UpdatedSchema), ...errorResponses(400, 401, 403, 413, 415) },
  });
  return createRouter().openapi(route, async (c) => {
    const updated = await changeStatus(accountOf(c), c.req.valid("json").ids, to);
    return c.json({ updated }, 200);
  });
}
