import { createRouter } from "../router.ts";
import { createKey } from "./create-key.ts";
import { deleteKey } from "./delete-key.ts";
import { listKeys } from "./list-keys.ts";
import { regenerateUploadKey } from "./regenerate-upload-key.ts";

export const keys = createRouter();

for (const endpoint of [listKeys, createKey, deleteKey, regenerateUploadKey]) keys.route("/", endpoint);
