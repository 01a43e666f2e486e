import { createRouter } from "../router.ts";
import { createKey } from "./create-key.ts";
import { deleteKey } from "./delete-key.ts";
import { getKeyAnalytics } from "./get-key-analytics.ts";
import { listKeys } from "./list-keys.ts";
import { regenerateUploadKey } from "./regenerate-upload-key.ts";

export const keys = createRouter();

for (const endpoint of [listKeys, createKey, deleteKey, getKeyAnalytics, regenerateUploadKey])
  keys.route("/", endpoint);
