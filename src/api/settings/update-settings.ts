import { SettingsChangeBody, SettingsSchema } from "../../contract/settings.ts";
import { updateSettings as writeSettings } from "../../services/accounts/update-settings.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("api", {
  operationId: "updateSettings",
  method: "patch",
  path: "/settings",
  tags: ["settings"],
  summary: "Change how images are compressed from now on",
  request: { body: jsonBody(SettingsChangeBody) },
  responses: { 200: jsonResponse("The settings", SettingsSchema) },
});

export const updateSettings = createRouter().openapi(route, async (c) =>
  c.json(await writeSettings(accountOf(c), c.req.valid("json")), 200),
);
