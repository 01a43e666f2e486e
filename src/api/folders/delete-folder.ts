import { IdParam } from "../../contract/common.ts";
import { FolderDeletedSchema } from "../../contract/folder.ts";
import { deleteFolder as deleteTree } from "../../services/folders/delete-folder.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("folders:write", {
  operationId: "deleteFolder",
  method: "delete",
  path: "/folders/{id}",
  tags: ["folders"],
  summary: "Delete a folder and those below it",
  description:
    "Uploads are not deleted: they move to Root, 500 at a time. A folder that takes too long answers 503 and goes on. API keys need the scope `folders:write`.",
  request: { params: IdParam },
  responses: {
    200: jsonResponse("What was done", FolderDeletedSchema),
    ...errorResponses(404),
  },
});

export const deleteFolder = createRouter().openapi(route, async (c) => {
  const result = await deleteTree(accountOf(c), c.req.valid("param").id);
  return c.json({ message: "Folder deleted successfully", ...result }, 200);
});
