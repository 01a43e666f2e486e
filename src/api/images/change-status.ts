import { IdsBody, UpdatedSchema } from "../../contract/common.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import { changeStatus } from "../../services/images/change-status.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

export const bulkTrash = changeEndpoint("trash", {
  operationId: "trashImages",
  path: "/images/bulk-trash",
  summary: "Move uploads to the trash",
});
export const bulkRestore = changeEndpoint("active", {
  operationId: "restoreImages",
  path: "/images/bulk-restore",
  summary: "Restore uploads from the trash",
});

/** The two mirror each other: the same body, the same count. */
function changeEndpoint(to: UploadStatus, names: { operationId: string; path: string; summary: string }) {
  const route = guarded("api", {
    ...names,
    method: "post",
    tags: ["images"],
    description: "Ids that are unknown, another account's or already there are passed over.",
    request: { body: jsonBody(IdsBody) },
    responses: { 200: jsonResponse("How many moved", UpdatedSchema) },
  });
  return createRouter().openapi(route, async (c) => {
    const updated = await changeStatus(accountOf(c), c.req.valid("json").ids, to);
    return c.json({ updated }, 200);
  });
}
