import { AccountDeletedSchema, AccountDeletionBody } from "../../contract/account.ts";
import { deleteAccount as eraseAccount } from "../../services/accounts/delete-account.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { clearSessionCookie } from "../session-cookie.ts";
import { toErasureBody } from "./to-erasure-body.ts";

const route = guarded("session", {
  operationId: "deleteAccount",
  method: "delete",
  path: "/account",
  tags: ["accounts"],
  summary: "Erase the account and everything it stores",
  request: { body: jsonBody(AccountDeletionBody) },
  description:
    "Its credentials stop at once, and its email is free. A large library is erased in the background: then the answer is 202, and `GET /erasures/{receipt}` says when it is done.",
  responses: {
    200: jsonResponse("Erased", AccountDeletedSchema),
    202: jsonResponse("Being erased", AccountDeletedSchema),
  },
});

export const deleteAccount = createRouter().openapi(route, async (c) => {
  const { erasure, receipt } = await eraseAccount(accountOf(c), c.req.valid("json").password);
  clearSessionCookie(c);
  const body = { message: "Account deleted", ...toErasureBody(erasure), receipt };
  return erasure.outcome === "erased" ? c.json(body, 200) : c.json(body, 202);
});
