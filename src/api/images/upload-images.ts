import { z } from "@hono/zod-openapi";
import { accepts } from "hono/accepts";
import { EXAMPLE_URL } from "../../contract/common.ts";
import { CreationHeaders } from "../../contract/tus.ts";
import { type FailedFileSchema, RawUploadQuery, UploadedSchema, UploadForm } from "../../contract/upload-result.ts";
import { MAX_FILES } from "../../domain/limits.ts";
import type { AccountContext } from "../../services/context.ts";
import { toUploadResult } from "../../services/images/to-media-object.ts";
import type { FailedFile, FileOutcome } from "../../services/uploads/commit/commit-uploads.ts";
import { refuseSlice, toFieldTexts, toOptionTexts } from "../../services/uploads/receive/upload-fields.ts";
import { uploadForm, uploadRawBody } from "../../services/uploads/upload-files.ts";
import { guarded } from "../guarded.ts";
import { accountOf, refuseRepeatedParameters, refuseUnknownParameters } from "../middleware/access.ts";
import { headersOf } from "../openapi/response-headers.ts";
import { errorResponses } from "../responses.ts";
import { createRouter } from "../router.ts";
import { createUpload } from "../uploads/resumable.ts";
import { OFFSET_TYPE, openUploadBody, readIdempotency } from "../uploads/upload-request.ts";

const BINARY = { type: "string" as const, format: "binary" };

const route = guarded("upload", {
  operationId: "uploadImages",
  method: "post",
  path: "/images/upload",
  tags: ["images"],
  summary: `Upload one file, or up to ${MAX_FILES}`,
  description:
    "A form repeats the field `file` for several files; its other fields apply to every file of the request. " +
    "Any other content type is a raw body: the query names the file and has the fields. " +
    "`Tus-Resumable: 1.0.0` creates a resumable upload (tus); `Location` is its URL. " +
    "`Accept: text/plain` gets the URLs, one a line. " +
    "A repeat with the same `Idempotency-Key` within ten minutes gets the same answer, and nothing is stored twice.",
  "x-operation-class": "A",
  "x-confinable": true,
  "x-upload-token": true,
  "x-own-query": true,
  request: {
    query: RawUploadQuery,
    headers: CreationHeaders,
    body: {
      required: true,
      content: {
        "multipart/form-data": { schema: UploadForm },
        "application/octet-stream": { schema: BINARY, example: "(the file's bytes)" },
        [OFFSET_TYPE]: { schema: BINARY, example: "(the file's first bytes, if any)" },
      },
    },
  },
  responses: {
    201: {
      description:
        "The files are stored; or a resumable upload is created, without a body unless the request carried the whole file",
      headers: headersOf(["Location", "Tus-Resumable", "Upload-Offset", "Upload-Expires", "Content-Location"]),
      content: {
        "application/json": { schema: UploadedSchema },
        "text/plain": {
          schema: z.string().openapi({ description: "The URLs, one a line" }),
          example: `${EXAMPLE_URL}\n`,
        },
      },
    },
    200: {
      description: "The bytes of every file were stored before (`dedupe`), and nothing is stored or counted",
      content: { "application/json": { schema: UploadedSchema } },
    },
    ...errorResponses(404, 408, 409, 412, 422),
  },
});

export const uploadImages = createRouter();

// This is only a description: routing by `openapi` would read the whole body to validate it.
uploadImages.openAPIRegistry.registerPath(route);

uploadImages.post(route.path, route.middleware, async (c) => {
  // Some libraries put a slice's number into the query.
  refuseSlice(new Map(new URL(c.req.url).searchParams));
  const known = Object.keys(RawUploadQuery.shape);
  refuseUnknownParameters(c.req.url, known);
  refuseRepeatedParameters(c.req.url, known);
  if (c.req.header("Tus-Resumable") !== undefined) return createUpload(c);
  const account = accountOf(c);
  const work = startUpload(account, c.req.raw);
  // A failed upload's clean-up must finish even if the client disconnects.
  account.waitUntil(work.catch(() => undefined));
  const outcomes = await work;
  const uploaded = toResults(outcomes, account.config.cdnUrl);
  const failed = outcomes.flatMap((outcome) => ("failed" in outcome ? [outcome.failed] : []));
  const [first] = uploaded;
  const [failure] = failed;
  if (first === undefined && failure !== undefined) {
    throw outcomes.length === 1 ? failure.error : failure.error.withDetails({ failed: failed.map(toFailedFile) });
  }
  const format = accepts(c, {
    header: "Accept",
    supports: ["application/json", "text/plain"],
    default: "application/json",
  });
  const status = uploaded.every(({ deduplicated }) => deduplicated) ? 200 : 201;
  if (format === "text/plain") return c.text(uploaded.map(({ url }) => `${url}\n`).join(""), status);
  if (outcomes.length === 1) return c.json(first, status);
  return c.json({ type: "batch", uploaded, failed: failed.map(toFailedFile) }, status);
});

function toResults(outcomes: readonly FileOutcome[], cdnUrl: string) {
  return outcomes.flatMap((outcome) =>
    "upload" in outcome ? [toUploadResult(outcome.upload, cdnUrl, outcome.isDuplicate)] : [],
  );
}

function toFailedFile({ originalFilename, error }: FailedFile): z.infer<typeof FailedFileSchema> {
  return { originalFilename, ...error.toBody() };
}

/**
 * Stores the files of a request: a form's files (`multipart/form-data`, UP-2), or the body itself (any other type,
 * UP-3).
 * @throws ServiceError 400 without a file, for a slice of a file, or a malformed idempotency key; 413 if the declared
 * size is too large; and the upload's errors
 */
async function startUpload(account: AccountContext, request: Request): Promise<FileOutcome[]> {
  const query = new URL(request.url).searchParams;
  const body = openUploadBody(account, request);
  const key = readIdempotency(request.headers);
  if ("form" in body) return uploadForm(account, body.form, key);
  const description = {
    filename: body.filename,
    fields: toFieldTexts((name) => query.get(name)),
    options: toOptionTexts((name) => query.get(name)),
  };
  const outcomes = await uploadRawBody(account, body.raw, description, key);
  const [outcome] = outcomes;
  const isUnsupported = outcome !== undefined && "failed" in outcome && outcome.failed.error.statusCode === 415;
  if (isUnsupported && body.notAFile !== undefined) throw body.notAFile;
  return outcomes;
}
