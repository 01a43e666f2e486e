import { KeyListSchema } from "../../contract/key.ts";
import { listKeys as listAccountKeys } from "../../services/keys/list-keys.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { toKeyBody } from "../keys/to-key-body.ts";
import { jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("session", {
  operationId: "listKeys",
  method: "get",
  path: "/keys",
  tags: ["keys"],
  summary: "The account's keys, newest first",
  responses: { 200: jsonResponse("The keys", KeyListSchema) },
});

export const listKeys = createRouter().openapi(route, async (c) => {
  const keys = await listAccountKeys(accountOf(c));
  return c.json({ keys: keys.map(({ key, lastUsedAt }) => toKeyBody(key, lastUsedAt)) }, 200);
});
