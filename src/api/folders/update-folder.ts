import { createRoute } from "@hono/zod-openapi";
import { updateFolder as update } from "../../services/folders/update-folder.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, IdParam, jsonBody, jsonResponse } from "../schemas.ts";
import { FolderChangeBody, FolderSchema, toFolderBody } from "./folder-schema.ts";

const route = createRoute({
  method: "patch",
  path: "/folders/{id}",
  tags: ["folders"],
  summary: "Rename or move a folder, or change its icon",
  description: "API keys need the scope `folders:write`.",
  security: bearer("folders:write"),
  middleware: requireAccess("folders:write"),
  request: { params: IdParam, body: jsonBody(FolderChangeBody) },
  responses: { 200: jsonResponse("The folder", FolderSchema), ...errorResponses(400, 401, 403, 404, 413, 415) },
});

export const updateFolder = createRouter().openapi(route, async (c) =>
  c.json(toFolderBody(await update(accountOf(c), c.req.valid("param").id, c.req.valid("json"))), 200),
);
