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
  summary: "Delete many uploads for good",
  description:
    "For people who are logged in; others delete one by one. Each stands alone, and counts as an operation of its own: where the month's " +
    "operations end within it, those behind fail with 429.",
  "x-operation-class": "A",
  request: { body: jsonBody(BulkDeleteBody) },
  responses: { 200: jsonResponse("What became of them", BulkDeletedSchema) },
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
      })),
    },
    200,
  );
});
