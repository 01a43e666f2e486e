import { createRoute, z } from "@hono/zod-openapi";
import { deleteFolder as deleteTree } from "../../services/folders/delete-folder.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, IdParam, jsonResponse } from "../schemas.ts";

const route = createRoute({
  method: "delete",
  path: "/folders/{id}",
  tags: ["folders"],
  summary: "Delete a folder and those below it",
  description: "Uploads are not deleted: they move to Root. API keys need the scope `folders:write`.",
  security: bearer("folders:write"),
  middleware: requireAccess("folders:write"),
  request: { params: IdParam },
  responses: {
    200: jsonResponse(
      "What was done",
      z.object({ message: z.string(), deletedFolders: z.number().int(), movedUploads: z.number().int() }),
    ),
    ...errorResponses(401, 403, 404),
  },
});

export const deleteFolder = createRouter().openapi(route, async (c) => {
  const result = await deleteTree(accountOf(c), c.req.valid("param").id);
  return c.json({ message: "Folder deleted successfully", ...result }, 200);
});
