import { FolderSchema, NewFolderBody } from "../../contract/folder.ts";
import { createFolder as create } from "../../services/folders/create-folder.ts";
import { accountOf } from "../account-of.ts";
import { toFolderBody } from "../folders/to-folder-body.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("folders:write", {
  operationId: "createFolder",
  method: "post",
  path: "/folders",
  tags: ["folders"],
  summary: "Create a folder",
  description: "API keys need the scope `folders:write`.",
  request: { body: jsonBody(NewFolderBody) },
  responses: { 201: jsonResponse("The folder", FolderSchema), ...errorResponses(404) },
});

export const createFolder = createRouter().openapi(route, async (c) =>
  c.json(toFolderBody(await create(accountOf(c), c.req.valid("json"))), 201),
);
