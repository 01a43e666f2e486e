import { SigningKeyListSchema } from "../../contract/signing-key.ts";
import { listSigningKeys as listAccountKeys } from "../../services/accounts/signing-keys.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toSigningKeyBody } from "./to-signing-key-body.ts";

const route = guarded("session", {
  operationId: "listSigningKeys",
  method: "get",
  path: "/signing-keys",
  tags: ["keys"],
  summary: "The keys that sign URLs, newest first",
  responses: { 200: jsonResponse("The keys", SigningKeyListSchema) },
});

export const listSigningKeys = createRouter().openapi(route, async (c) =>
  c.json({ keys: (await listAccountKeys(accountOf(c))).map(toSigningKeyBody) }, 200),
);
