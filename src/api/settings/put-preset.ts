import { PresetBody, PresetParam, PresetSchema } from "../../contract/settings.ts";
import { putPreset as putAccountPreset } from "../../services/accounts/presets.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("settings", {
  operationId: "putPreset",
  method: "put",
  path: "/settings/presets/{name}",
  tags: ["settings"],
  summary: "Add or replace a preset",
  description:
    "`?p=<name>` in a file's URL asks for the preset's exact size and format. A change takes effect within a minute.",
  request: { params: PresetParam, body: jsonBody(PresetBody) },
  responses: { 200: jsonResponse("The preset", PresetSchema), ...errorResponses(404) },
});

export const putPreset = createRouter().openapi(route, async (c) => {
  const { parameters } = c.req.valid("json");
  return c.json(await putAccountPreset(accountOf(c), c.req.valid("param").name, parameters), 200);
});
