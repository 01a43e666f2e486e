import { createRoute } from "@hono/zod-openapi";
import { revokeKey } from "../../services/keys/revoke-key.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, IdParam, jsonResponse, MessageSchema } from "../schemas.ts";

const route = createRoute({
  method: "delete",
  path: "/keys/{id}",
  tags: ["keys"],
  summary: "Revoke a key; it stops working at once",
  security: bearer("session"),
  middleware: requireAccess("session"),
  request: { params: IdParam },
  responses: { 200: jsonResponse("Revoked", MessageSchema), ...errorResponses(401, 403, 404) },
});

export const deleteKey = createRouter().openapi(route, async (c) => {
  await revokeKey(accountOf(c), c.req.valid("param").id);
  return c.json({ message: "Key revoked" }, 200);
});
