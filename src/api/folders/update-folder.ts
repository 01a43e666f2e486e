import { IdParam } from "../../contract/common.ts";
import { FolderChangeBody, FolderSchema } from "../../contract/folder.ts";
import { updateFolder as update } from "../../services/folders/update-folder.ts";
import { accountOf } from "../account-of.ts";
import { toFolderBody } from "../folders/to-folder-body.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("folders:write", {
  operationId: "updateFolder",
  method: "patch",
  path: "/folders/{id}",
  tags: ["folders"],
  summary: "Rename or move a folder, or change its icon",
  description: "API keys need the scope `folders:write`.",
  request: { params: IdParam, body: jsonBody(FolderChangeBody) },
  responses: { 200: jsonResponse("The folder", FolderSchema), ...errorResponses(404) },
});

export const updateFolder = createRouter().openapi(route, async (c) =>
  c.json(toFolderBody(await update(accountOf(c), c.req.valid("param").id, c.req.valid("json"))), 200),
);
