import { FolderListSchema } from "../../contract/folder.ts";
import { listFolders as listAccountFolders } from "../../services/folders/list-folders.ts";
import { accountOf } from "../account-of.ts";
import { toFolderBody } from "../folders/to-folder-body.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("folders:read", {
  operationId: "listFolders",
  method: "get",
  path: "/folders",
  tags: ["folders"],
  summary: "All folders, flat, by name",
  description: "API keys need the scope `folders:read`.",
  responses: {
    200: jsonResponse("The folders", FolderListSchema),
  },
});

export const listFolders = createRouter().openapi(route, async (c) => {
  const folders = await listAccountFolders(accountOf(c));
  return c.json({ folders: folders.map(toFolderBody) }, 200);
});
