import { UpdatedSchema } from "../../contract/common.ts";
import { BulkChangeBody } from "../../contract/image-change.ts";
import { updateImages } from "../../services/images/update-images.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("api", {
  operationId: "updateImages",
  method: "post",
  path: "/images/bulk-update",
  tags: ["images"],
  summary: "Move, tag or mark many uploads",
  description: "All or none. Ids that are unknown or another account's are passed over; trashed uploads change too.",
  request: { body: jsonBody(BulkChangeBody) },
  responses: {
    200: jsonResponse("How many really changed", UpdatedSchema),
    ...errorResponses(404),
  },
});

export const bulkUpdate = createRouter().openapi(route, async (c) => {
  const { ids, ...change } = c.req.valid("json");
  return c.json({ updated: await updateImages(accountOf(c), ids, change) }, 200);
});
