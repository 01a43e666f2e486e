import { MessageSchema } from "../../contract/common.ts";
import { PresetParam } from "../../contract/settings.ts";
import { deletePreset as deleteAccountPreset } from "../../services/accounts/presets.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("settings", {
  operationId: "deletePreset",
  method: "delete",
  path: "/settings/presets/{name}",
  tags: ["settings"],
  summary: "Remove a preset; its URLs stop working within a minute",
  request: { params: PresetParam },
  responses: { 200: jsonResponse("Removed", MessageSchema), ...errorResponses(404) },
});

export const deletePreset = createRouter().openapi(route, async (c) => {
  await deleteAccountPreset(accountOf(c), c.req.valid("param").name);
  return c.json({ message: "The preset was removed" }, 200);
});
