import { IdParam, MessageSchema } from "../contract/common.ts";
import { PageQuery } from "../contract/query-parameters.ts";
import { NewSigningKeyBody, NewSigningKeySchema, SigningKeyListSchema } from "../contract/signing-key.ts";
import {
  createSigningKey,
  type ListedSigningKey,
  listSigningKeys,
  revokeSigningKey,
} from "../services/accounts/signing-keys.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const signingKeys = createRouter();

signingKeys.openapi(
  guarded("session", {
    operationId: "listSigningKeys",
    method: "get",
    path: "/signing-keys",
    tags: ["keys"],
    summary: "The keys that sign URLs, newest first",
    description: "The list has no secrets.",
    request: { query: PageQuery },
    responses: { 200: jsonResponse("The keys", SigningKeyListSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listSigningKeys(accountOf(c), c.req.valid("query"));
    return c.json({ keys: rows.map(toSigningKeyBody), pagination: { nextCursor } }, 200);
  },
);

signingKeys.openapi(
  guarded("session", {
    operationId: "createSigningKey",
    method: "post",
    path: "/signing-keys",
    tags: ["keys"],
    summary: "Create a key that signs URLs of sizes and formats",
    description: "Its signatures are accepted within a minute.",
    request: { body: jsonBody(NewSigningKeyBody) },
    "x-recent-proof": true,
    responses: { 201: jsonResponse("The key, shown only once", NewSigningKeySchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { key, listed } = await createSigningKey(accountOf(c), c.req.valid("json").name);
    return c.json({ ...toSigningKeyBody(listed), key }, 201);
  },
);

signingKeys.openapi(
  guarded("session", {
    operationId: "deleteSigningKey",
    method: "delete",
    path: "/signing-keys/{id}",
    tags: ["keys"],
    summary: "Revoke a key that signs URLs; its URLs stop working within a minute",
    description: "URLs that other keys have signed stay valid.",
    request: { params: IdParam },
    "x-recent-proof": true,
    responses: { 200: jsonResponse("Revoked", MessageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    await revokeSigningKey(accountOf(c), c.req.valid("param").id);
    return c.json({ message: "Key revoked" }, 200);
  },
);

export function toSigningKeyBody({ id, name, createdAt }: ListedSigningKey) {
  return { _id: id, name, createdAt: new Date(createdAt).toISOString() };
}
