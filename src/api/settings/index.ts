import { createRouter } from "../router.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { getSettings } from "./get-settings.ts";
import { getWebhook } from "./get-webhook.ts";
import { previewCompression } from "./preview-compression.ts";
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
]) {
  settings.route("/", endpoint);
}
