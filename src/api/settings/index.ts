import { createRouter } from "../router.ts";
import { deletePreset } from "./delete-preset.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { getPreset } from "./get-preset.ts";
import { getSettings } from "./get-settings.ts";
import { getWebhook } from "./get-webhook.ts";
import { listPresets } from "./list-presets.ts";
import { previewCompression } from "./preview-compression.ts";
import { putPreset } from "./put-preset.ts";
import { putWebhook } from "./put-webhook.ts";
import { testWebhook } from "./test-webhook.ts";
import { updateSettings } from "./update-settings.ts";

export const settings = createRouter();

for (const endpoint of [
  getSettings,
  updateSettings,
  getWebhook,
  putWebhook,
  deleteWebhook,
  testWebhook,
  previewCompression,
  listPresets,
  getPreset,
  putPreset,
  deletePreset,
]) {
  settings.route("/", endpoint);
}
