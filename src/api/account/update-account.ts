import { createRoute, z } from "@hono/zod-openapi";
import { updateAccount as changeAccount } from "../../services/accounts/update-account.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonBody, jsonResponse } from "../schemas.ts";
import { AccountSchema, NameField, NewPasswordField, PasswordField, toAccountBody } from "./account-schema.ts";

const Body = z
  .object({
    name: NameField.nullable().optional(),
    password: NewPasswordField.optional(),
    currentPassword: PasswordField.optional(),
  })
  .refine(({ password, currentPassword }) => password === undefined || currentPassword !== undefined, {
    path: ["currentPassword"],
    message: "Required to set a new password",
  });

const route = createRoute({
  method: "patch",
  path: "/account",
  tags: ["accounts"],
  summary: "Change the name or the password",
  description: "A new password ends every other session.",
  security: bearer("session"),
  middleware: requireAccess("session"),
  request: { body: jsonBody(Body) },
  responses: { 200: jsonResponse("The account", AccountSchema), ...errorResponses(400, 401, 403, 413, 415) },
});

export const updateAccount = createRouter().openapi(route, async (c) => {
  const { name, password: next, currentPassword: current } = c.req.valid("json");
  const password = next === undefined || current === undefined ? undefined : { current, next };
  return c.json(toAccountBody(await changeAccount(accountOf(c), { name, password })), 200);
});
