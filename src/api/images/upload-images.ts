import type { z } from "@hono/zod-openapi";
import { accepts } from "hono/accepts";
import {
  type FailedFileSchema,
  RawUploadQuery,
  UploadedSchema,
  UploadForm,
  UploadHeaders,
} from "../../contract/upload-result.ts";
import { MAX_FILES } from "../../domain/limits.ts";
import type { FileOutcome } from "../../services/uploads/commit/commit-uploads.ts";
import type { FailedFile } from "../../services/uploads/store/stored-files.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { createUpload } from "../uploads/create-upload.ts";
import { startUpload } from "./start-upload.ts";
import { toUploadResult } from "./to-upload-result.ts";

const route = guarded("upload", {
  operationId: "uploadImages",
  method: "post",
  path: "/images/upload",
  tags: ["images"],
  summary: `Upload one file, or up to ${MAX_FILES}`,
  description:
    "As a form: repeat the field `file` for several files; `folderId` and `tags` hold for every file of the request. " +
    "Or as the body itself, of any other content type: the query names the file, its folder and its tags. " +
    "With `Tus-Resumable: 1.0.0` it creates a resumable upload (tus), whose address `Location` says. " +
    "With `Accept: text/plain` the answer is the URLs, one a line. " +
    "Sent again with the same `Idempotency-Key` within ten minutes, it is answered as before, and nothing is stored twice.",
  "x-operation-class": "A",
  request: {
    query: RawUploadQuery,
    headers: UploadHeaders,
    body: {
      required: true,
      content: {
        "multipart/form-data": { schema: UploadForm },
        "application/octet-stream": { schema: { type: "string", format: "binary" } },
      },
    },
  },
  responses: {
    201: jsonResponse("One file: its result. Several: all results", UploadedSchema),
    ...errorResponses(404, 408, 409, 412, 422),
  },
});

export const uploadImages = createRouter();

// Only described, not routed by `openapi`, which would read the whole body to validate it.
uploadImages.openAPIRegistry.registerPath(route);

uploadImages.post(route.path, route.middleware, async (c) => {
  if (c.req.header("Tus-Resumable") !== undefined) return createUpload(c);
  const account = accountOf(c);
  const work = startUpload(account, c.req.raw);
  // A client that goes away must not take the cleaning up with it.
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
  if (format === "text/plain") return c.text(uploaded.map(({ url }) => `${url}\n`).join(""), 201);
  if (outcomes.length === 1) return c.json(first, 201);
  return c.json({ uploaded, failed: failed.map(toFailedFile) }, 201);
});

function toResults(outcomes: readonly FileOutcome[], cdnUrl: string) {
  return outcomes.flatMap((outcome) => ("upload" in outcome ? [toUploadResult(outcome.upload, cdnUrl)] : []));
}

function toFailedFile({ originalFilename, error }: FailedFile): z.infer<typeof FailedFileSchema> {
  return { originalFilename, ...error.toBody() };
}
