import { IdParam, MessageSchema } from "../contract/common.ts";
import { PageQuery } from "../contract/query-parameters.ts";
import { NewUploadTokenBody, NewUploadTokenSchema, UploadTokenPageSchema } from "../contract/upload-token.ts";
import type { StoredUploadToken } from "../services/records.ts";
import { createUploadToken } from "../services/upload-tokens/create-upload-token.ts";
import { listUploadTokens } from "../services/upload-tokens/list-upload-tokens.ts";
import { revokeUploadToken } from "../services/upload-tokens/revoke-upload-token.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

/** Tokens for uploads from a browser. Upload keys may create them, too. */
export const uploadTokens = createRouter();

uploadTokens.openapi(
  guarded("upload", {
    operationId: "createUploadToken",
    method: "post",
    path: "/upload-tokens",
    tags: ["keys"],
    summary: "Create a token for uploads from a browser",
    description:
      "A token can only upload, within its limits. Give it to a page in place of a key. " +
      "The token stops with the key that created it.",
    "x-confinable": true,
    request: { body: jsonBody(NewUploadTokenBody) },
    responses: { 201: jsonResponse("The token, shown only once", NewUploadTokenSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const account = accountOf(c);
    const { expiresIn, ...limits } = c.req.valid("json");
    const { id, secret, expiresAt } = await createUploadToken(account, { ...limits, expiresInSeconds: expiresIn });
    const uploadUrl = `${account.config.apiOrigin}/images/upload`;
    return c.json({ _id: id, token: secret, expiresAt: new Date(expiresAt).toISOString(), uploadUrl }, 201);
  },
);

uploadTokens.openapi(
  guarded("upload", {
    operationId: "listUploadTokens",
    method: "get",
    path: "/upload-tokens",
    tags: ["keys"],
    summary: "List upload tokens that have not expired, newest first",
    description: "A key that can only upload sees the tokens that it created.",
    "x-confinable": true,
    request: { query: PageQuery },
    responses: { 200: jsonResponse("A page", UploadTokenPageSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listUploadTokens(accountOf(c), c.req.valid("query"));
    return c.json({ uploadTokens: rows.map(toUploadTokenBody), pagination: { nextCursor } }, 200);
  },
);

uploadTokens.openapi(
  guarded("upload", {
    operationId: "deleteUploadToken",
    method: "delete",
    path: "/upload-tokens/{id}",
    tags: ["keys"],
    summary: "Revoke an upload token; it stops working at once",
    description: "Its stored files stay.",
    "x-confinable": true,
    request: { params: IdParam },
    responses: { 200: jsonResponse("Revoked", MessageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    await revokeUploadToken(accountOf(c), c.req.valid("param").id);
    return c.json({ message: "Upload token revoked" }, 200);
  },
);

export function toUploadTokenBody({ id, limits, files, bytes, createdAt, expiresAt }: StoredUploadToken) {
  const {
    maxFiles,
    maxBytes,
    types,
    folderId,
    tags,
    visibility = null,
    origins,
    externalId = null,
    metadata = null,
  } = limits;
  return {
    _id: id,
    maxFiles,
    maxBytes,
    types: [...types],
    folderId,
    tags: [...tags],
    visibility,
    origins: [...origins],
    externalId,
    metadata: metadata === null ? null : (JSON.parse(metadata) as Record<string, unknown>),
    usedFiles: files,
    usedBytes: bytes,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}
