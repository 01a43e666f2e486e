import { PresetParam, PresetSchema } from "../../contract/settings.ts";
import { getPreset as getAccountPreset } from "../../services/accounts/presets.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("settings", {
  operationId: "getPreset",
  method: "get",
  path: "/settings/presets/{name}",
  tags: ["settings"],
  summary: "One preset",
  request: { params: PresetParam },
  responses: { 200: jsonResponse("The preset", PresetSchema), ...errorResponses(404) },
});

export const getPreset = createRouter().openapi(route, async (c) =>
  c.json(await getAccountPreset(accountOf(c), c.req.valid("param").name), 200),
);
