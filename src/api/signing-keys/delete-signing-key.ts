import { IdParam, MessageSchema } from "../../contract/common.ts";
import { revokeSigningKey } from "../../services/accounts/signing-keys.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("session", {
  operationId: "deleteSigningKey",
  method: "delete",
  path: "/signing-keys/{id}",
  tags: ["keys"],
  summary: "Revoke a key that signs URLs; its URLs stop working within a minute",
  request: { params: IdParam },
  "x-recent-proof": true,
  responses: { 200: jsonResponse("Revoked", MessageSchema), ...errorResponses(404) },
});

export const deleteSigningKey = createRouter().openapi(route, async (c) => {
  await revokeSigningKey(accountOf(c), c.req.valid("param").id);
  return c.json({ message: "Key revoked" }, 200);
});
