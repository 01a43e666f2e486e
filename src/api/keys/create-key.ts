import { createRoute, z } from "@hono/zod-openapi";
import { createApiKey } from "../../services/keys/create-api-key.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonBody, jsonResponse } from "../schemas.ts";
import { NewKeySchema, ScopesField, toKeyBody } from "./key-schema.ts";

const Body = z.object({ name: z.string().trim().min(1).max(100), scopes: ScopesField.default([]) });

const route = createRoute({
  method: "post",
  path: "/keys",
  tags: ["keys"],
  summary: "Make an API key (Pro, Business)",
  security: bearer("session"),
  middleware: requireAccess("session"),
  request: { body: jsonBody(Body) },
  responses: {
    201: jsonResponse("The key, shown this once", NewKeySchema),
    ...errorResponses(400, 401, 403, 413, 415),
  },
});

export const createKey = createRouter().openapi(route, async (c) => {
  const { name, scopes } = c.req.valid("json");
  const { secret, key } = await createApiKey(accountOf(c), name, scopes);
  return c.json({ ...toKeyBody(key, null), key: secret }, 201);
});
