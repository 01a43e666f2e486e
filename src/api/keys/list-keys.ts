import { createRoute, z } from "@hono/zod-openapi";
import { listKeys as listAccountKeys } from "../../services/keys/list-keys.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonResponse } from "../schemas.ts";
import { KeySchema, toKeyBody } from "./key-schema.ts";

const route = createRoute({
  method: "get",
  path: "/keys",
  tags: ["keys"],
  summary: "The account's keys, newest first",
  security: bearer("session"),
  middleware: requireAccess("session"),
  responses: { 200: jsonResponse("The keys", z.object({ keys: z.array(KeySchema) })), ...errorResponses(401, 403) },
});

export const listKeys = createRouter().openapi(route, async (c) => {
  const keys = await listAccountKeys(accountOf(c));
  return c.json({ keys: keys.map(({ key, lastUsedAt }) => toKeyBody(key, lastUsedAt)) }, 200);
});
