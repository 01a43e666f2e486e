import { z } from "@hono/zod-openapi";
import { ERRORS } from "../../domain/errors.ts";
import { parseBoundary } from "../../media/multipart/boundary.ts";
import { MultipartReader } from "../../media/multipart/read-multipart.ts";
import { uploadFiles } from "../../services/uploads/upload-files.ts";
import { type FailedFile, MAX_FILES } from "../../services/uploads/upload-request.ts";
import { accountOf } from "../account-of.ts";
import { requireAccess } from "../middleware/require-access.ts";
import { createRouter } from "../router.ts";
import { bearer, errorResponses, jsonResponse } from "../schemas.ts";
import { toUploadResult, UploadResultSchema } from "./upload-result.ts";

const FailedFileSchema = z
  .object({
    originalFilename: z.string(),
    error: z.string(),
    statusCode: z.number().int(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi("FailedFile");

const BatchSchema = z
  .object({ uploaded: z.array(UploadResultSchema), failed: z.array(FailedFileSchema) })
  .openapi("UploadBatch");

export const uploadImages = createRouter();

// Described by hand, as the body is read as a stream: a validator would read it whole.
uploadImages.openAPIRegistry.registerPath({
  method: "post",
  path: "/images/upload",
  tags: ["images"],
  summary: "Upload one file, or up to 50",
  description: "Repeat the field `file` for several files. `folderId` and `tags` hold for every file of the request.",
  security: bearer("upload"),
  request: {
    body: {
      required: true,
      content: {
        "multipart/form-data": {
          schema: z.object({
            file: z
              .array(z.any())
              .min(1)
              .max(MAX_FILES)
              .openapi({ type: "array", items: { type: "string", format: "binary" } }),
            folderId: z.string().optional(),
            tags: z.string().optional().openapi({ description: "Comma-separated" }),
          }),
        },
      },
    },
  },
  responses: {
    201: jsonResponse("One file: its result. Several: all results", z.union([UploadResultSchema, BatchSchema])),
    ...errorResponses(400, 401, 404, 408, 413, 415),
  },
});

uploadImages.post("/images/upload", requireAccess("upload"), async (c) => {
  const account = accountOf(c);
  const { cdnUrl } = account.config;
  const reader = openReader(c.req.raw, account.config.maxUploadBytes);
  const work = uploadFiles(account, reader);
  // A client that goes away must not take the cleaning up with it.
  account.waitUntil(work.catch(() => undefined));
  const outcomes = await work;
  const uploaded = outcomes.flatMap((outcome) => ("upload" in outcome ? [toUploadResult(outcome.upload, cdnUrl)] : []));
  const failed = outcomes.flatMap((outcome) => ("failed" in outcome ? [outcome.failed] : []));
  const [first] = uploaded;
  const [failure] = failed;
  if (first === undefined && failure !== undefined) {
    throw outcomes.length === 1 ? failure.error : failure.error.withDetails({ failed: failed.map(toFailedFile) });
  }
  if (outcomes.length === 1) return c.json(first, 201);
  return c.json({ uploaded, failed: failed.map(toFailedFile) }, 201);
});

/** @throws ServiceError 400 where the body is not a form, 413 where it is declared too large */
function openReader(request: Request, maxUploadBytes: number): MultipartReader {
  const boundary = parseBoundary(request.headers.get("Content-Type") ?? "");
  if (boundary === undefined || request.body === null) {
    throw ERRORS.NoFile("Send the field `file` as multipart/form-data with a boundary");
  }
  const declared = request.headers.get("Content-Length") ?? "";
  const totalBytes = /^\d+$/.test(declared) ? Number(declared) : undefined;
  if (totalBytes !== undefined && totalBytes > maxUploadBytes) throw ERRORS.BodyTooLarge(maxUploadBytes);
  return new MultipartReader(request.body, boundary, totalBytes, maxUploadBytes);
}

function toFailedFile({ originalFilename, error }: FailedFile): z.infer<typeof FailedFileSchema> {
  return { originalFilename, ...error.toBody() };
}
