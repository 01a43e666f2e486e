import type { z } from "@hono/zod-openapi";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { IdParam, MessageSchema } from "../contract/common.ts";
import { NewPasskeyBody, PasskeyCreationSchema, PasskeyListSchema, PasskeySchema } from "../contract/passkey.ts";
import { PageQuery } from "../contract/query-parameters.ts";
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from "../services/passkeys/register-passkey.ts";
import type { Passkey } from "../services/records.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const passkeys = createRouter();

passkeys.openapi(
  guarded("session", {
    operationId: "beginPasskey",
    method: "post",
    path: "/passkeys/options",
    tags: ["accounts"],
    summary: "Options for making a passkey",
    description: "The options for `navigator.credentials.create()`. The challenge is valid once, for five minutes.",
    "x-recent-proof": true,
    responses: { 200: jsonResponse("The options", PasskeyCreationSchema) },
  }),
  async (c) => c.json(await beginPasskey(accountOf(c)), 200),
);

passkeys.openapi(
  guarded("session", {
    operationId: "createPasskey",
    method: "post",
    path: "/passkeys",
    tags: ["accounts"],
    summary: "Add a passkey that the browser has made",
    description: "The body is the browser's answer to the options, and a name.",
    request: { body: jsonBody(NewPasskeyBody) },
    "x-recent-proof": true,
    responses: { 201: jsonResponse("The passkey", PasskeySchema) },
  }),
  async (c) => {
    const { name, ...given } = c.req.valid("json");
    const response = { ...given, rawId: given.id } as RegistrationResponseJSON;
    const passkey = await addPasskey(accountOf(c), { name, response });
    return c.json(toPasskeyBody(passkey), 201);
  },
);

passkeys.openapi(
  guarded("session", {
    operationId: "deletePasskey",
    method: "delete",
    path: "/passkeys/{id}",
    tags: ["accounts"],
    summary: "Remove a passkey; it stops working at once",
    description: "The device keeps it, but it opens no session any more.",
    request: { params: IdParam },
    "x-recent-proof": true,
    responses: { 200: jsonResponse("Removed", MessageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    await removePasskey(accountOf(c), c.req.valid("param").id);
    return c.json({ message: "Passkey removed" }, 200);
  },
);

passkeys.openapi(
  guarded("session", {
    operationId: "listPasskeys",
    method: "get",
    path: "/passkeys",
    tags: ["accounts"],
    summary: "The account's passkeys",
    description: "Their names and last uses. The private keys never leave the owner's devices.",
    request: { query: PageQuery },
    responses: { 200: jsonResponse("The passkeys, newest first", PasskeyListSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listPasskeys(accountOf(c), c.req.valid("query"));
    return c.json({ passkeys: rows.map(toPasskeyBody), pagination: { nextCursor } }, 200);
  },
);

function toPasskeyBody({ id, name, createdAt, usedAt }: Passkey): z.infer<typeof PasskeySchema> {
  return {
    _id: id,
    name,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: usedAt === null ? null : new Date(usedAt).toISOString(),
  };
}
