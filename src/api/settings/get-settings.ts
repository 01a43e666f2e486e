import { SettingsSchema } from "../../contract/settings.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("api", {
  operationId: "getSettings",
  method: "get",
  path: "/settings",
  tags: ["settings"],
  summary: "How uploaded images are compressed",
  responses: { 200: jsonResponse("The settings", SettingsSchema) },
});

export const getSettings = createRouter().openapi(route, (c) => c.json(accountOf(c).settings, 200));
