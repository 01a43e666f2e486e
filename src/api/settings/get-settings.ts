import { createRoute } from "@hono/zod-openapi";
import { getAccount } from "../../services/accounts/get-account.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonResponse } from "../schemas.ts";
import { SettingsSchema, toSettings } from "./settings-schema.ts";

const route = createRoute({
  method: "get",
  path: "/settings",
  tags: ["settings"],
  summary: "How uploaded images are compressed",
  security: bearer("api"),
  middleware: requireAccess("api"),
  responses: { 200: jsonResponse("The settings", SettingsSchema), ...errorResponses(401, 403) },
});

export const getSettings = createRouter().openapi(route, async (c) =>
  c.json(toSettings(await getAccount(accountOf(c))), 200),
);
