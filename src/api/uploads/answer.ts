import type { Context } from "hono";
import type { z } from "zod";
import type { UnfinishedUploadSchema } from "../../contract/unfinished-upload.ts";
import { expiresAt } from "../../domain/resumable.ts";
import type { UnfinishedUpload } from "../../services/uploads/resumable/find-resumable.ts";
import type { Progress } from "../../services/uploads/resumable/write-piece.ts";
import { accountOf } from "../account-of.ts";
import type { AppEnv } from "../app-env.ts";
import { toUploadResult } from "../images/to-upload-result.ts";

/** When an unfinished upload is dropped, as a header says it (tus 1.0.0, Expiration). */
export function expiresHeader(upload: Pick<UnfinishedUpload, "createdAt" | "touchedAt">): Record<string, string> {
  return { "Upload-Expires": new Date(expiresAt(upload)).toUTCString() };
}

/** Says how far an upload is; once it is stored, its result. */
export function answerProgress(
  c: Context<AppEnv>,
  { offset, upload }: Progress,
  status: { readonly unfinished: 201 | 204; readonly finished: 200 | 201 },
): Response {
  const headers = { "Upload-Offset": String(offset), "Cache-Control": "no-store" };
  if (upload === undefined) return c.body(null, status.unfinished, headers);
  const result = toUploadResult(upload, accountOf(c).config.cdnUrl);
  return c.json(result, status.finished, { ...headers, "Content-Location": result.url });
}

export function toUnfinishedBody(upload: UnfinishedUpload): z.infer<typeof UnfinishedUploadSchema> {
  return {
    ...{ _id: upload.id, filename: upload.filename, state: "receiving", offset: upload.offset, length: upload.length },
    createdAt: new Date(upload.createdAt).toISOString(),
    expiresAt: new Date(expiresAt(upload)).toISOString(),
  };
}
