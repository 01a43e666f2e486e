import { createRoute } from "@hono/zod-openapi";
import { updateSettings as writeSettings } from "../../services/accounts/update-settings.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonBody, jsonResponse } from "../schemas.ts";
import { SettingsSchema, toSettings } from "./settings-schema.ts";

const route = createRoute({
  method: "patch",
  path: "/settings",
  tags: ["settings"],
  summary: "Change how images are compressed from now on",
  security: bearer("api"),
  middleware: requireAccess("api"),
  request: { body: jsonBody(SettingsSchema.partial()) },
  responses: { 200: jsonResponse("The settings", SettingsSchema), ...errorResponses(400, 401, 403, 413, 415) },
});

export const updateSettings = createRouter().openapi(route, async (c) =>
  c.json(toSettings(await writeSettings(accountOf(c), c.req.valid("json"))), 200),
);
