import { AllSettingsSchema, SettingsChangeBody } from "../../contract/settings.ts";
import { changeOwnersRules } from "../../services/accounts/owners-rules.ts";
import { showSettings, updateSettings as writeSettings } from "../../services/accounts/update-settings.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("settings", {
  operationId: "updateSettings",
  method: "patch",
  path: "/settings",
  tags: ["settings"],
  summary: "Change how later files are stored, who may show the files, and in which sizes",
  request: { body: jsonBody(SettingsChangeBody) },
  responses: { 200: jsonResponse("The settings", AllSettingsSchema) },
});

export const updateSettings = createRouter().openapi(route, async (c) => {
  const account = accountOf(c);
  const { hotlink, variants, ...compression } = c.req.valid("json");
  const settings = await writeSettings(account, compression);
  return c.json({ ...showSettings(settings), ...(await changeOwnersRules(account, { hotlink, variants })) }, 200);
});
