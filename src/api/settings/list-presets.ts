import { PresetListSchema } from "../../contract/settings.ts";
import { listPresets as listAccountPresets } from "../../services/accounts/presets.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("settings", {
  operationId: "listPresets",
  method: "get",
  path: "/settings/presets",
  tags: ["settings"],
  summary: "The presets for sizes and formats, by name",
  responses: { 200: jsonResponse("The presets", PresetListSchema) },
});

export const listPresets = createRouter().openapi(route, async (c) =>
  c.json({ presets: await listAccountPresets(accountOf(c)) }, 200),
);
