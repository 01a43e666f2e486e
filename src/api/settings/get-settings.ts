import { AllSettingsSchema } from "../../contract/settings.ts";
import { readOwnersRules } from "../../services/accounts/owners-rules.ts";
import { showSettings } from "../../services/accounts/update-settings.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("settings", {
  operationId: "getSettings",
  method: "get",
  path: "/settings",
  tags: ["settings"],
  summary: "How uploaded files are stored, who may show the files, and in which sizes",
  responses: { 200: jsonResponse("The settings", AllSettingsSchema) },
});

export const getSettings = createRouter().openapi(route, async (c) => {
  const account = accountOf(c);
  return c.json({ ...showSettings(account.settings), ...(await readOwnersRules(account)) }, 200);
});
