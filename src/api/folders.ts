import type { z } from "@hono/zod-openapi";
import { IdParam } from "../contract/common.ts";
import {
  FolderChangeBody,
  FolderDeletedSchema,
  FolderListQuery,
  FolderListSchema,
  FolderSchema,
  NEWEST_OF_FOLDER,
  NewestQuery,
  NewestSchema,
  NewFolderBody,
} from "../contract/folder.ts";
import { chargeChanges } from "../services/accounts/charge-changes.ts";
import { createFolder } from "../services/folders/create-folder.ts";
import { deleteFolder } from "../services/folders/delete-folder.ts";
import { listNewest } from "../services/folders/list-newest.ts";
import { listFolders } from "../services/folders/read-folders.ts";
import { updateFolder } from "../services/folders/update-folder.ts";
import { toMediaObject } from "../services/images/to-media-object.ts";
import { openPreviewUrls } from "../services/previews/preview-urls.ts";
import type { FolderWithCount } from "../services/records.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const folders = createRouter();

folders.openapi(
  guarded("folders:read", {
    operationId: "listFolders",
    method: "get",
    path: "/folders",
    tags: ["folders"],
    summary: "All folders, flat, by name",
    description: "API keys need the scope `folders:read`.",
    "x-confinable": true,
    request: { query: FolderListQuery },
    responses: {
      200: jsonResponse("The folders", FolderListSchema),
    },
  }),
  async (c) => {
    const { rows, nextCursor } = await listFolders(accountOf(c), c.req.valid("query"));
    return c.json({ folders: rows.map(toFolderBody), pagination: { nextCursor } }, 200);
  },
);

folders.openapi(
  guarded("images:read", {
    operationId: "listNewestOfFolders",
    method: "get",
    path: "/folders/newest",
    tags: ["folders"],
    summary: "The newest files of several folders",
    description: `The ${NEWEST_OF_FOLDER} newest active files directly in each folder, for tiles of folders.`,
    request: { query: NewestQuery },
    responses: { 200: jsonResponse("The folders, in the order of `ids`", NewestSchema) },
  }),
  async (c) => {
    const account = accountOf(c);
    const newest = await listNewest(account, c.req.valid("query").ids, NEWEST_OF_FOLDER);
    const urlsOf = await openPreviewUrls(account);
    const folders = newest.map(async ({ id, uploads }) => ({
      _id: id,
      images: await Promise.all(
        uploads.map(async (upload) => toMediaObject(upload, account.config.cdnUrl, await urlsOf(upload))),
      ),
    }));
    return c.json({ folders: await Promise.all(folders) }, 200);
  },
);

folders.openapi(
  guarded("folders:write", {
    operationId: "createFolder",
    method: "post",
    path: "/folders",
    tags: ["folders"],
    summary: "Create a folder",
    description: "API keys need the scope `folders:write`.",
    "x-confinable": true,
    request: { body: jsonBody(NewFolderBody) },
    responses: { 201: jsonResponse("The folder", FolderSchema), ...errorResponses(404) },
  }),
  async (c) => c.json(toFolderBody(await createFolder(accountOf(c), c.req.valid("json"))), 201),
);

folders.openapi(
  guarded("folders:write", {
    operationId: "updateFolder",
    method: "patch",
    path: "/folders/{id}",
    tags: ["folders"],
    summary: "Rename or move a folder, or change its icon",
    description: "API keys need the scope `folders:write`.",
    "x-confinable": true,
    request: { params: IdParam, body: jsonBody(FolderChangeBody) },
    responses: { 200: jsonResponse("The folder", FolderSchema), ...errorResponses(404) },
  }),
  async (c) =>
    c.json(toFolderBody(await updateFolder(accountOf(c), c.req.valid("param").id, c.req.valid("json"))), 200),
);

folders.openapi(
  guarded("folders:write", {
    operationId: "deleteFolder",
    method: "delete",
    path: "/folders/{id}",
    tags: ["folders"],
    summary: "Delete a folder and its descendants",
    description:
      "Uploads are not deleted: they move to Root, 500 at a time. If a folder takes too long, the answer is 503 and the deletion continues. API keys need the scope `folders:write`.",
    request: { params: IdParam },
    responses: {
      200: jsonResponse("Deleted", FolderDeletedSchema),
      ...errorResponses(404),
    },
  }),
  async (c) => {
    const account = accountOf(c);
    const result = await deleteFolder(account, c.req.valid("param").id);
    await chargeChanges(account, result.deletedFolders + result.movedUploads);
    return c.json({ message: "Folder deleted successfully", ...result }, 200);
  },
);

export function toFolderBody(folder: FolderWithCount): z.infer<typeof FolderSchema> {
  const { id, name, parentId, icon, itemCount, createdAt, updatedAt } = folder;
  return {
    _id: id,
    name,
    parentId,
    icon,
    itemCount,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}
