import { ERRORS } from "../../domain/errors.ts";
import { parseBoundary } from "../../multipart/boundary.ts";
import { parseContentDisposition } from "../../multipart/content-disposition.ts";
import { RawBody } from "../../multipart/raw-body.ts";
import { MultipartReader } from "../../multipart/read-multipart.ts";
import type { AccountContext } from "../../services/context.ts";
import type { FileOutcome } from "../../services/uploads/commit/commit-uploads.ts";
import { refuseContentRange, refuseSlice } from "../../services/uploads/receive/chunk-fields.ts";
import { uploadForm } from "../../services/uploads/upload-form.ts";
import { uploadRawBody } from "../../services/uploads/upload-raw-body.ts";
import { readIdempotency } from "./read-idempotency.ts";

/** Types of bodies that are certainly no file, but what clients send that forgot to encode a form. */
const NO_FILE = /^(application\/(json|x-www-form-urlencoded)|multipart\/.*)$/;

/**
 * Stores what a request brings: the files of a form (`multipart/form-data`), or the body itself (any other type).
 * @throws ServiceError 400 if there is no file in it, or only a slice of one, or the idempotency key is malformed; 413 if it is declared too large; and what the
 * upload throws
 */
export async function startUpload(account: AccountContext, request: Request): Promise<FileOutcome[]> {
  const { headers, body } = request;
  const query = new URL(request.url).searchParams;
  refuseContentRange(headers.get("Content-Range"));
  // Some libraries put a slice's number into the query.
  refuseSlice(new Map(query));
  const { maxUploadBytes } = account.config;
  const totalBytes = declaredBytes(headers, maxUploadBytes);
  const contentType = headers.get("Content-Type") ?? "";
  const idempotency = readIdempotency(request, contentType);
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (mediaType === "multipart/form-data") {
    const boundary = parseBoundary(contentType);
    if (boundary === undefined || body === null) {
      throw ERRORS.NoFile("Send the field `file` as multipart/form-data with a boundary");
    }
    return uploadForm(account, new MultipartReader(body, boundary, totalBytes, maxUploadBytes), idempotency);
  }
  if (NO_FILE.test(mediaType)) {
    throw ERRORS.NoFile(`${mediaType} carries no file: send multipart/form-data, or the file itself as the body`);
  }
  if (body === null) throw ERRORS.NoFile("The body is empty");
  const description = {
    // An empty value counts as absent.
    filename: query.get("filename") || filenameOf(headers),
    folderId: query.get("folderId") ?? undefined,
    tags: query.get("tags") ?? undefined,
  };
  return uploadRawBody(account, new RawBody(body, totalBytes, maxUploadBytes), description, idempotency);
}

/** Undefined if the client does not say how long the body is. @throws ServiceError 413 */
export function declaredBytes(headers: Headers, maxUploadBytes: number): number | undefined {
  const declared = headers.get("Content-Length") ?? "";
  const totalBytes = /^\d+$/.test(declared) ? Number(declared) : undefined;
  if (totalBytes !== undefined && totalBytes > maxUploadBytes) throw ERRORS.BodyTooLarge(maxUploadBytes);
  return totalBytes;
}

function filenameOf(headers: Headers): string {
  return parseContentDisposition(headers.get("Content-Disposition") ?? "")?.filename ?? "";
}
