import { createRoute, z } from "@hono/zod-openapi";
import { deleteAccount as eraseAccount } from "../../services/accounts/delete-account.ts";
import { accountOf } from "../account-of.ts";
import { clearSessionCookie } from "../auth/session-answer.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonBody, jsonResponse, MessageSchema } from "../schemas.ts";
import { PasswordField } from "./account-schema.ts";

const route = createRoute({
  method: "delete",
  path: "/account",
  tags: ["accounts"],
  summary: "Erase the account and everything it stores",
  security: bearer("session"),
  middleware: requireAccess("session"),
  request: { body: jsonBody(z.object({ password: PasswordField })) },
  responses: { 200: jsonResponse("Erased", MessageSchema), ...errorResponses(400, 401, 403, 413, 415) },
});

export const deleteAccount = createRouter().openapi(route, async (c) => {
  await eraseAccount(accountOf(c), c.req.valid("json").password);
  clearSessionCookie(c);
  return c.json({ message: "Account deleted" }, 200);
});
