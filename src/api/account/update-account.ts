import { AccountChangeBody, AccountSchema } from "../../contract/account.ts";
import { updateAccount as changeAccount } from "../../services/accounts/update-account.ts";
import { toAccountBody } from "../account/to-account-body.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("session", {
  operationId: "updateAccount",
  method: "patch",
  path: "/account",
  tags: ["accounts"],
  summary: "Change the name or the password",
  description: "A new password ends every other session.",
  request: { body: jsonBody(AccountChangeBody) },
  responses: { 200: jsonResponse("The account", AccountSchema) },
});

export const updateAccount = createRouter().openapi(route, async (c) => {
  const { name, password: next, currentPassword: current } = c.req.valid("json");
  const password = next === undefined || current === undefined ? undefined : { current, next };
  return c.json(toAccountBody(await changeAccount(accountOf(c), { name, password })), 200);
});
