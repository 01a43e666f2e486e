import type { RawBody } from "../../multipart/raw-body.ts";
import type { AccountContext } from "../context.ts";
import type { FileOutcome } from "./commit/commit-uploads.ts";
import { type RawBodyDescription, receiveRawBody } from "./receive/receive-raw-body.ts";
import { runUpload } from "./run-upload.ts";

/**
 * Stores a body that is one file (`runUpload`).
 * @throws ServiceError 400, 401, 404, 408, 413, 503 for the request as a whole
 */
export async function uploadRawBody(
  account: AccountContext,
  body: RawBody,
  description: RawBodyDescription,
): Promise<FileOutcome[]> {
  return runUpload(account, body, (run, files) => receiveRawBody(run, body, files, description));
}
