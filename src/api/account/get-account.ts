import { AccountSchema } from "../../contract/account.ts";
import { getAccount as findAccount } from "../../services/accounts/get-account.ts";
import { toAccountBody } from "../account/to-account-body.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("api", {
  operationId: "getAccount",
  method: "get",
  path: "/account",
  tags: ["accounts"],
  summary: "The account",
  responses: { 200: jsonResponse("The account", AccountSchema) },
});

export const getAccount = createRouter().openapi(route, async (c) =>
  c.json(toAccountBody(await findAccount(accountOf(c))), 200),
);
