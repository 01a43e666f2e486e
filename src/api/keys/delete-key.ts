import { IdParam, MessageSchema } from "../../contract/common.ts";
import { revokeKey } from "../../services/keys/revoke-key.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("session", {
  operationId: "deleteKey",
  method: "delete",
  path: "/keys/{id}",
  tags: ["keys"],
  summary: "Revoke a key; it stops working at once",
  request: { params: IdParam },
  responses: { 200: jsonResponse("Revoked", MessageSchema), ...errorResponses(404) },
});

export const deleteKey = createRouter().openapi(route, async (c) => {
  await revokeKey(accountOf(c), c.req.valid("param").id);
  return c.json({ message: "Key revoked" }, 200);
});
