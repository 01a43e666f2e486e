import { createRoute } from "@hono/zod-openapi";
import { getAccount as findAccount } from "../../services/accounts/get-account.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonResponse } from "../schemas.ts";
import { AccountSchema, toAccountBody } from "./account-schema.ts";

const route = createRoute({
  method: "get",
  path: "/account",
  tags: ["accounts"],
  summary: "The account",
  security: bearer("api"),
  middleware: requireAccess("api"),
  responses: { 200: jsonResponse("The account", AccountSchema), ...errorResponses(401, 403) },
});

export const getAccount = createRouter().openapi(route, async (c) =>
  c.json(toAccountBody(await findAccount(accountOf(c))), 200),
);
