import { createRoute } from "@hono/zod-openapi";
import { regenerateUploadKey as regenerate } from "../../services/keys/regenerate-upload-key.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonResponse } from "../schemas.ts";
import { NewKeySchema, toKeyBody } from "./key-schema.ts";

const route = createRoute({
  method: "post",
  path: "/keys/upload/regenerate",
  tags: ["keys"],
  summary: "A new upload key in place of the old (Free, Starter)",
  security: bearer("session"),
  middleware: requireAccess("session"),
  responses: { 201: jsonResponse("The key, shown this once", NewKeySchema), ...errorResponses(400, 401, 403) },
});

export const regenerateUploadKey = createRouter().openapi(route, async (c) => {
  const { secret, key } = await regenerate(accountOf(c));
  return c.json({ ...toKeyBody(key, null), key: secret }, 201);
});
