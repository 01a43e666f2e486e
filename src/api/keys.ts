import type { z } from "@hono/zod-openapi";
import { IdParam, MessageSchema } from "../contract/common.ts";
import { KeyListSchema, type KeySchema, NewKeyBody, NewKeySchema } from "../contract/key.ts";
import { KeyAnalyticsQuery, KeyAnalyticsSchema } from "../contract/key-analytics.ts";
import { PageQuery } from "../contract/query-parameters.ts";
import { toDate } from "../domain/calendar.ts";
import { createApiKey } from "../services/keys/create-api-key.ts";
import { listKeys } from "../services/keys/list-keys.ts";
import { readKeyAnalytics } from "../services/keys/read-key-analytics.ts";
import { regenerateUploadKey } from "../services/keys/regenerate-upload-key.ts";
import { revokeKey } from "../services/keys/revoke-key.ts";
import type { Key } from "../services/records.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const keys = createRouter();

keys.openapi(
  guarded("session", {
    operationId: "listKeys",
    method: "get",
    path: "/keys",
    tags: ["keys"],
    summary: "The account's keys, newest first",
    description: "The list has no secrets, and no revoked or replaced keys.",
    request: { query: PageQuery },
    responses: { 200: jsonResponse("The keys", KeyListSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listKeys(accountOf(c), c.req.valid("query"));
    const keys = rows.map(({ key, lastUsedAt }) => toKeyBody(key, lastUsedAt));
    return c.json({ keys, pagination: { nextCursor } }, 200);
  },
);

keys.openapi(
  guarded("session", {
    operationId: "createKey",
    method: "post",
    path: "/keys",
    tags: ["keys"],
    summary: "Create an API key (Pro, Business)",
    description: "`key` is shown only in this answer.",
    request: { body: jsonBody(NewKeyBody) },
    "x-recent-proof": true,
    responses: {
      201: jsonResponse("The key, shown only once", NewKeySchema),
      ...errorResponses(404),
    },
  }),
  async (c) => {
    const { expiresAt, ...limits } = c.req.valid("json");
    const { secret, key } = await createApiKey(accountOf(c), {
      ...limits,
      expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    });
    return c.json({ ...toKeyBody(key, null), key: secret }, 201);
  },
);

keys.openapi(
  guarded("session", {
    operationId: "deleteKey",
    method: "delete",
    path: "/keys/{id}",
    tags: ["keys"],
    summary: "Revoke a key; it stops working at once",
    description: "Its operations stay in the log.",
    request: { params: IdParam },
    "x-recent-proof": true,
    responses: { 200: jsonResponse("Revoked", MessageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    await revokeKey(accountOf(c), c.req.valid("param").id);
    return c.json({ message: "Key revoked" }, 200);
  },
);

keys.openapi(
  guarded("account", {
    operationId: "getKeyAnalytics",
    method: "get",
    path: "/keys/{id}/analytics",
    tags: ["keys"],
    summary: "A key's requests by day and by endpoint (Pro, Business)",
    description:
      "The last 90 days, also of revoked keys. Requests appear within half a minute: they are counted in memory and written together. " +
      "If a machine fails, its unwritten counts are lost, at most half a minute's.",
    request: { params: IdParam, query: KeyAnalyticsQuery },
    responses: { 200: jsonResponse("The key's requests", KeyAnalyticsSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const keyId = c.req.valid("param").id;
    const { from, to } = c.req.valid("query");
    const { total, days, endpoints } = await readKeyAnalytics(accountOf(c), keyId, {
      from: toTime(from),
      to: toTime(to),
    });
    return c.json(
      {
        keyId,
        total,
        days: days.map(({ day, ...counts }) => ({ date: toDate(day), ...counts })),
        endpoints: [...endpoints],
      },
      200,
    );
  },
);

function toTime(day: string | undefined): number | undefined {
  return day === undefined ? undefined : Date.parse(day);
}

keys.openapi(
  guarded("session", {
    operationId: "regenerateUploadKey",
    method: "post",
    path: "/keys/upload/regenerate",
    tags: ["keys"],
    summary: "Replace the upload key (Free, Starter)",
    description: "The last of several concurrent requests gets its key, the others get a 409.",
    "x-recent-proof": true,
    responses: { 201: jsonResponse("The key, shown only once", NewKeySchema), ...errorResponses(400, 409) },
  }),
  async (c) => {
    const { secret, key } = await regenerateUploadKey(accountOf(c));
    return c.json({ ...toKeyBody(key, null), key: secret }, 201);
  },
);

export function toKeyBody(
  { id, kind, name, lastFour, scopes, expiresAt, folderId, createdAt }: Key,
  lastUsedAt: number | null,
): z.infer<typeof KeySchema> {
  return {
    _id: id,
    kind,
    name,
    lastFour,
    scopes,
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    folderId,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  };
}
