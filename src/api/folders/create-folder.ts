import { createRoute } from "@hono/zod-openapi";
import { createFolder as create } from "../../services/folders/create-folder.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonBody, jsonResponse } from "../schemas.ts";
import { FolderSchema, NewFolderBody, toFolderBody } from "./folder-schema.ts";

const route = createRoute({
  method: "post",
  path: "/folders",
  tags: ["folders"],
  summary: "Create a folder",
  description: "API keys need the scope `folders:write`.",
  security: bearer("folders:write"),
  middleware: requireAccess("folders:write"),
  request: { body: jsonBody(NewFolderBody) },
  responses: { 201: jsonResponse("The folder", FolderSchema), ...errorResponses(400, 401, 403, 404, 413, 415) },
});

export const createFolder = createRouter().openapi(route, async (c) =>
  c.json(toFolderBody(await create(accountOf(c), c.req.valid("json"))), 201),
);
