import { createRoute } from "@hono/zod-openapi";
import { deleteImage as deleteForGood } from "../../services/images/delete-image.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, IdParam, jsonResponse, MessageSchema } from "../schemas.ts";

const route = createRoute({
  method: "delete",
  path: "/images/{id}",
  tags: ["images"],
  summary: "Delete an upload for good",
  description: "Active or trashed. Its URL stops working and its storage is freed at once.",
  security: bearer("api"),
  middleware: requireAccess("api"),
  request: { params: IdParam },
  responses: { 200: jsonResponse("Deleted", MessageSchema), ...errorResponses(401, 403, 404) },
});

export const deleteImage = createRouter().openapi(route, async (c) => {
  await deleteForGood(accountOf(c), c.req.valid("param").id);
  return c.json({ message: "Image deleted successfully" }, 200);
});
