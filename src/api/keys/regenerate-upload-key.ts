import { NewKeySchema } from "../../contract/key.ts";
import { regenerateUploadKey as regenerate } from "../../services/keys/regenerate-upload-key.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { toKeyBody } from "../keys/to-key-body.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("session", {
  operationId: "regenerateUploadKey",
  method: "post",
  path: "/keys/upload/regenerate",
  tags: ["keys"],
  summary: "A new upload key in place of the old (Free, Starter)",
  description: "Of several at once the last one is answered with its key, the others with 409: their keys never live.",
  responses: { 201: jsonResponse("The key, shown this once", NewKeySchema), ...errorResponses(400, 409) },
});

export const regenerateUploadKey = createRouter().openapi(route, async (c) => {
  const { secret, key } = await regenerate(accountOf(c));
  return c.json({ ...toKeyBody(key, null), key: secret }, 201);
});
