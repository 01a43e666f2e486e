import { AccountDeletionBody } from "../../contract/account.ts";
import { MessageSchema } from "../../contract/common.ts";
import { deleteAccount as eraseAccount } from "../../services/accounts/delete-account.ts";
import { accountOf } from "../account-of.ts";
import { clearSessionCookie } from "../auth/session-answer.ts";
import { guarded } from "../guarded.ts";
import { jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("session", {
  operationId: "deleteAccount",
  method: "delete",
  path: "/account",
  tags: ["accounts"],
  summary: "Erase the account and everything it stores",
  request: { body: jsonBody(AccountDeletionBody) },
  responses: { 200: jsonResponse("Erased", MessageSchema) },
});

export const deleteAccount = createRouter().openapi(route, async (c) => {
  await eraseAccount(accountOf(c), c.req.valid("json").password);
  clearSessionCookie(c);
  return c.json({ message: "Account deleted" }, 200);
});
