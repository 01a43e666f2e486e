import { IdParam, MessageSchema } from "../../contract/common.ts";
import { deleteImage as deleteForGood } from "../../services/images/delete-image.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("images:delete", {
  operationId: "deleteImage",
  method: "delete",
  path: "/images/{id}",
  tags: ["images"],
  summary: "Delete an upload permanently",
  description: "Active or trashed. Its URL stops working and its storage is freed at once.",
  "x-operation-class": "A",
  "x-confinable": true,
  request: { params: IdParam },
  responses: { 200: jsonResponse("Deleted", MessageSchema), ...errorResponses(404) },
});

export const deleteImage = createRouter().openapi(route, async (c) => {
  await deleteForGood(accountOf(c), c.req.valid("param").id);
  return c.json({ message: "Image deleted successfully" }, 200);
});
