import { ERRORS } from "../../domain/errors.ts";
import { BodyTooLargeError, MultipartError } from "../../media/multipart/multipart-error.ts";
import type { MultipartReader } from "../../media/multipart/read-multipart.ts";
import type { AccountContext } from "../context.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { type FileOutcome, UploadRequest } from "./upload-request.ts";

/**
 * Stores the files of one request: reserve, R2, then all rows in one transaction, then settle. Every file stands alone,
 * but a body that is malformed or breaks off stores nothing at all.
 * @returns what became of each file, in the request's order
 * @throws ServiceError 400, 401, 404, 408, 413 for the request as a whole; nothing is left in any store then
 */
export async function uploadFiles(account: AccountContext, reader: MultipartReader): Promise<FileOutcome[]> {
  const request = new UploadRequest(account, reader);
  const heartbeat = startHeartbeat(account, reader, request);
  try {
    await request.receive();
    return await request.commit();
  } catch (error) {
    await request.rollBack();
    await reader.refuse();
    throw heartbeat.stalled ? ERRORS.UploadStalled() : toServiceError(error);
  } finally {
    heartbeat.stop();
  }
}

function toServiceError(error: unknown): unknown {
  if (error instanceof MultipartError) return ERRORS.MalformedMultipart(error.reason);
  if (error instanceof BodyTooLargeError) return ERRORS.BodyTooLarge(error.maxBytes);
  return error;
}
