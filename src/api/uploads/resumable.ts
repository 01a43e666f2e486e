import type { Context } from "hono";
import type { z } from "zod";
import { IdParam } from "../../contract/common.ts";
import { PageQuery } from "../../contract/query-parameters.ts";
import { PieceHeaders, TusHeaders } from "../../contract/tus.ts";
import {
  ShownUploadSchema,
  UnfinishedListSchema,
  type UnfinishedUploadSchema,
} from "../../contract/unfinished-upload.ts";
import { UploadResultSchema } from "../../contract/upload-result.ts";
import { ERRORS } from "../../domain/errors.ts";
import { expiresAt } from "../../domain/resumable.ts";
import { toUploadResult } from "../../services/images/to-media-object.ts";
import { addPiece, lookUp } from "../../services/uploads/resumable/add-piece.ts";
import { type Creation, createOnce } from "../../services/uploads/resumable/create-upload.ts";
import {
  findResumable,
  listUnfinished,
  type ResumableProgress,
  removeResumable,
  type UnfinishedUpload,
} from "../../services/uploads/resumable/unfinished-uploads.ts";
import type { AppEnv } from "../app-env.ts";
import { guarded } from "../guarded.ts";
import { accountOf } from "../middleware/access.ts";
import { headersOf } from "../openapi/response-headers.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { declaredBytes, OFFSET_TYPE, readBytes, readCreation, readIdempotency, requireTus } from "./upload-request.ts";

/** Unfinished resumable uploads; `POST /images/upload` creates them. */
export const uploads = createRouter();

uploads.openapi(
  guarded("images:read", {
    operationId: "listUnfinishedUploads",
    method: "get",
    path: "/images/upload",
    tags: ["images"],
    summary: "List unfinished resumable uploads, newest first",
    description: "The id of each continues it: `HEAD` and `PATCH /images/upload/{id}`.",
    request: { query: PageQuery },
    responses: { 200: jsonResponse("The uploads", UnfinishedListSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listUnfinished(accountOf(c), c.req.valid("query"));
    return c.json({ uploads: rows.map(toUnfinishedBody), pagination: { nextCursor } }, 200);
  },
);

const showUploadRoute = guarded("upload", {
  operationId: "getResumableUpload",
  method: "get",
  path: "/images/upload/{id}",
  tags: ["images"],
  summary: "State of a resumable upload",
  description: "Its result after it is stored (for ten minutes). GET does not disturb a request that is writing.",
  "x-rate-bucket": "pieces",
  "x-confinable": true,
  "x-upload-token": true,
  request: { params: IdParam },
  responses: {
    200: jsonResponse("The upload's result, or its progress", ShownUploadSchema),
    ...errorResponses(404, 412, 423),
  },
});

const showOffsetRoute = guarded("upload", {
  operationId: "getUploadOffset",
  method: "head",
  path: "/images/upload/{id}",
  tags: ["images"],
  summary: "Offset of a resumable upload (tus 1.0.0)",
  description: "A request that is still writing to the upload is stopped, so that another can continue.",
  "x-rate-bucket": "pieces",
  "x-confinable": true,
  "x-upload-token": true,
  request: { params: IdParam, headers: TusHeaders },
  responses: {
    200: {
      description: "The offset",
      headers: headersOf([
        "Tus-Resumable",
        "Upload-Offset",
        "Upload-Length",
        "Upload-Defer-Length",
        "Upload-Metadata",
        "Upload-Expires",
      ]),
    },
    ...errorResponses(404, 412, 423),
  },
});

// Hono runs HEAD as GET, so this handler has two kinds of answers, which `openapi` does not support.
uploads.openAPIRegistry.registerPath(showUploadRoute);
uploads.openAPIRegistry.registerPath(showOffsetRoute);

uploads.get("/images/upload/:id", showUploadRoute.middleware, async (c) => {
  const account = accountOf(c);
  const id = c.req.param("id");
  if (c.req.raw.method === "HEAD") return showOffset(c, id);
  const { resumable, progress } = await findResumable(account, id);
  const { upload, isDuplicate } = progress;
  c.header("Cache-Control", "no-store");
  if (upload !== undefined) return c.json(toUploadResult(upload, account.config.cdnUrl, isDuplicate), 200);
  return c.json(toUnfinishedBody({ ...resumable, filename: resumable.facts.filename }), 200);
});

/** tus 1.0.0, HEAD. */
async function showOffset(c: Context<AppEnv>, id: string): Promise<Response> {
  const account = accountOf(c);
  requireTus(c.req.raw.headers);
  const work = lookUp(account, id);
  account.waitUntil(work.catch(() => undefined));
  const upload = await work;
  const { offset, length, facts } = upload;
  return c.body(null, 200, {
    "Upload-Offset": String(offset),
    "Cache-Control": "no-store",
    ...(length === null ? { "Upload-Defer-Length": "1" } : { "Upload-Length": String(length) }),
    ...(facts.metadata === null ? {} : { "Upload-Metadata": facts.metadata }),
    ...(upload.state === "receiving" ? expiresHeader(upload) : {}),
  });
}

const resumeUploadRoute = guarded("upload", {
  operationId: "resumeUpload",
  method: "patch",
  path: "/images/upload/{id}",
  tags: ["images"],
  summary: "Add bytes to a resumable upload (tus 1.0.0)",
  description:
    "Pieces may have any size up to a request's limit. The last piece answers the upload's result; earlier ones 204.",
  "x-rate-bucket": "pieces",
  "x-confinable": true,
  "x-upload-token": true,
  request: {
    params: IdParam,
    headers: PieceHeaders,
    body: { required: true, content: { [OFFSET_TYPE]: { schema: { type: "string", format: "binary" } } } },
  },
  responses: {
    200: jsonResponse("The upload is complete: its result", UploadResultSchema, [
      "Tus-Resumable",
      "Upload-Offset",
      "Content-Location",
    ]),
    204: {
      description: "More bytes are needed, from `Upload-Offset`",
      headers: headersOf(["Tus-Resumable", "Upload-Offset"]),
    },
    ...errorResponses(404, 409, 412, 423),
  },
});

// This is only a description: routing by `openapi` would read the whole body to validate it.
uploads.openAPIRegistry.registerPath(resumeUploadRoute);

uploads.patch("/images/upload/:id", resumeUploadRoute.middleware, async (c) => {
  const account = accountOf(c);
  const { headers, body } = c.req.raw;
  requireTus(headers);
  if (headers.get("Content-Type") !== OFFSET_TYPE) throw ERRORS.OffsetTypeRequired();
  const offset = readBytes(headers, "Upload-Offset");
  if (offset === undefined) throw ERRORS.InvalidRequest({ "Upload-Offset": "Required" });
  const totalBytes = declaredBytes(headers, account.config.maxUploadBytes);
  const length = readBytes(headers, "Upload-Length");
  const work = addPiece(account, c.req.param("id"), { stream: body, totalBytes, offset, length });
  // Received bytes must be stored even if the client disconnects.
  account.waitUntil(work.catch(() => undefined));
  return answerProgress(c, await work, { unfinished: 204, finished: 200 });
});

const cancelUploadRoute = guarded("upload", {
  operationId: "cancelUpload",
  method: "delete",
  path: "/images/upload/{id}",
  tags: ["images"],
  summary: "Cancel a resumable upload (tus 1.0.0)",
  description: "Delete stored uploads with `DELETE /images/{id}`.",
  "x-rate-bucket": "pieces",
  "x-confinable": true,
  "x-upload-token": true,
  request: { params: IdParam, headers: TusHeaders },
  responses: {
    204: { description: "Cancelled", headers: headersOf(["Tus-Resumable"]) },
    ...errorResponses(404, 412, 423),
  },
});

// Routing by `openapi` would answer 400, not 412, without the header.
uploads.openAPIRegistry.registerPath(cancelUploadRoute);

uploads.delete("/images/upload/:id", cancelUploadRoute.middleware, async (c) => {
  requireTus(c.req.raw.headers);
  await removeResumable(accountOf(c), c.req.param("id"));
  return c.body(null, 204);
});

/**
 * Creates a resumable upload; the request may carry its first bytes (tus 1.0.0, Creation, Creation With Upload).
 * @throws ServiceError 400, 404, 412, 413, 415, 429, 503
 */
export async function createUpload(c: Context<AppEnv>): Promise<Response> {
  const account = accountOf(c);
  const { headers, body } = c.req.raw;
  requireTus(headers);
  const totalBytes = declaredBytes(headers, account.config.maxUploadBytes);
  const hasPiece = body !== null && totalBytes !== 0;
  if (hasPiece && headers.get("Content-Type") !== OFFSET_TYPE) throw ERRORS.OffsetTypeRequired();
  const onCreated = (created: Creation["resumable"]) => {
    c.header("Location", `/images/upload/${created.id}`);
    for (const [name, value] of Object.entries(expiresHeader(created))) c.header(name, value);
  };
  const work = createOnce(account, {
    description: readCreation(headers),
    key: readIdempotency(headers),
    stream: hasPiece ? body : null,
    totalBytes,
    onCreated,
  });
  // Received bytes must be stored even if the client disconnects.
  account.waitUntil(work.catch(() => undefined));
  const { resumable, progress } = await work;
  onCreated(resumable);
  return answerProgress(c, progress, { unfinished: 201, finished: 201 });
}

/** The `Upload-Expires` header of an unfinished upload (tus 1.0.0, Expiration). */
function expiresHeader(upload: Pick<UnfinishedUpload, "createdAt" | "touchedAt">): Record<string, string> {
  return { "Upload-Expires": new Date(expiresAt(upload)).toUTCString() };
}

/** Answers with an upload's offset, and with its result after it is stored. */
function answerProgress(
  c: Context<AppEnv>,
  { offset, upload, isDuplicate }: ResumableProgress,
  status: { readonly unfinished: 201 | 204; readonly finished: 200 | 201 },
): Response {
  const headers = { "Upload-Offset": String(offset), "Cache-Control": "no-store" };
  if (upload === undefined) return c.body(null, status.unfinished, headers);
  const result = toUploadResult(upload, accountOf(c).config.cdnUrl, isDuplicate);
  return c.json(result, isDuplicate ? 200 : status.finished, { ...headers, "Content-Location": result.url });
}

function toUnfinishedBody(upload: UnfinishedUpload): z.infer<typeof UnfinishedUploadSchema> {
  return {
    _id: upload.id,
    filename: upload.filename,
    state: "receiving",
    offset: upload.offset,
    length: upload.length,
    createdAt: new Date(upload.createdAt).toISOString(),
    expiresAt: new Date(expiresAt(upload)).toISOString(),
    type: "unfinished",
  };
}
