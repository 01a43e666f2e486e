import { NewKeyBody, NewKeySchema } from "../../contract/key.ts";
import { createApiKey } from "../../services/keys/create-api-key.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { toKeyBody } from "../keys/to-key-body.ts";
import { jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("session", {
  operationId: "createKey",
  method: "post",
  path: "/keys",
  tags: ["keys"],
  summary: "Make an API key (Pro, Business)",
  request: { body: jsonBody(NewKeyBody) },
  responses: {
    201: jsonResponse("The key, shown this once", NewKeySchema),
  },
});

export const createKey = createRouter().openapi(route, async (c) => {
  const { name, scopes } = c.req.valid("json");
  const { secret, key } = await createApiKey(accountOf(c), name, scopes);
  return c.json({ ...toKeyBody(key, null), key: secret }, 201);
});
