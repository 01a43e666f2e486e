import { BulkDeleteBody, BulkDeletedSchema } from "../../contract/bulk-delete.ts";
import { deleteImages } from "../../services/images/delete-images.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("session", {
  operationId: "deleteImages",
  method: "post",
  path: "/images/bulk-delete",
  tags: ["images"],
  summary: "Delete many uploads permanently",
  description:
    "For sessions; keys delete one by one. Each deletion succeeds or fails alone and counts as one operation: after the month's " +
    "last operation, the others fail with 429.",
  "x-operation-class": "A",
  request: { body: jsonBody(BulkDeleteBody) },
  responses: { 200: jsonResponse("The outcome of each", BulkDeletedSchema) },
});

export const bulkDelete = createRouter().openapi(route, async (c) => {
  const { deleted, failed } = await deleteImages(accountOf(c), c.req.valid("json").ids);
  return c.json(
    {
      deleted,
      failed: failed.map(({ uploadId, error }) => ({
        _id: uploadId,
        error: error.message,
        statusCode: error.statusCode,
        code: error.code,
      })),
    },
    200,
  );
});
