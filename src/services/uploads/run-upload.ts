import { ERRORS } from "../../domain/errors.ts";
import { BodyTooLargeError, MultipartError } from "../../multipart/multipart-error.ts";
import type { AccountContext } from "../context.ts";
import { commitUploads, type FileOutcome } from "./commit/commit-uploads.ts";
import type { ClientBody } from "./receive/client-body.ts";
import { startHeartbeat } from "./receive/heartbeat.ts";
import type { UploadFields } from "./receive/upload-fields.ts";
import { StoredFiles } from "./store/stored-files.ts";
import { UploadRun } from "./upload-run.ts";

/**
 * Stores the files of one request: reserve, R2, then all rows in one transaction, then settle. Every file stands alone,
 * but a body that is malformed or breaks off stores nothing at all.
 * @param receive reads the body to its end and has its files stored on the way
 * @returns what became of each file, in the request's order
 * @throws ServiceError 400, 401, 404, 408, 413, 503 for the request as a whole; nothing is left in any store then
 */
export async function runUpload(
  account: AccountContext,
  body: ClientBody,
  receive: (run: UploadRun, files: StoredFiles) => Promise<UploadFields>,
): Promise<FileOutcome[]> {
  using run = new UploadRun(account, body);
  const files = new StoredFiles(run);
  const heartbeat = startHeartbeat(run);
  try {
    const fields = await receive(run, files);
    return await commitUploads(run, await files.all(), fields);
  } catch (error) {
    await files.ended();
    await run.open.rollBack();
    await body.refuse();
    throw heartbeat.verdict ?? toServiceError(error);
  } finally {
    heartbeat.stop();
  }
}

/** What a client is told of a body that could not be read. */
export function toServiceError(error: unknown): unknown {
  if (error instanceof MultipartError) return ERRORS.MalformedMultipart(error.reason);
  if (error instanceof BodyTooLargeError) return ERRORS.BodyTooLarge(error.maxBytes);
  return error;
}
