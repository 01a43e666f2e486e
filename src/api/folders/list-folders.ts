import { createRoute, z } from "@hono/zod-openapi";
import { listFolders as listAccountFolders } from "../../services/folders/list-folders.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonResponse } from "../schemas.ts";
import { FolderSchema, toFolderBody } from "./folder-schema.ts";

const route = createRoute({
  method: "get",
  path: "/folders",
  tags: ["folders"],
  summary: "All folders, flat, by name",
  description: "API keys need the scope `folders:read`.",
  security: bearer("folders:read"),
  middleware: requireAccess("folders:read"),
  responses: {
    200: jsonResponse("The folders", z.object({ folders: z.array(FolderSchema) })),
    ...errorResponses(401, 403),
  },
});

export const listFolders = createRouter().openapi(route, async (c) => {
  const folders = await listAccountFolders(accountOf(c));
  return c.json({ folders: folders.map(toFolderBody) }, 200);
});
