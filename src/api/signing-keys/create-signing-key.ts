import { NewSigningKeyBody, NewSigningKeySchema } from "../../contract/signing-key.ts";
import { createSigningKey as createAccountKey } from "../../services/accounts/signing-keys.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toSigningKeyBody } from "./to-signing-key-body.ts";

const route = guarded("session", {
  operationId: "createSigningKey",
  method: "post",
  path: "/signing-keys",
  tags: ["keys"],
  summary: "Create a key that signs URLs of sizes and formats",
  description: "Its signatures are accepted within a minute.",
  request: { body: jsonBody(NewSigningKeyBody) },
  "x-recent-proof": true,
  responses: { 201: jsonResponse("The key, shown only once", NewSigningKeySchema), ...errorResponses(404) },
});

export const createSigningKey = createRouter().openapi(route, async (c) => {
  const { key, listed } = await createAccountKey(accountOf(c), c.req.valid("json").name);
  return c.json({ ...toSigningKeyBody(listed), key }, 201);
});
