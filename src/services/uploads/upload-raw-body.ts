import type { RawBody } from "../../multipart/raw-body.ts";
import type { AccountContext } from "../context.ts";
import type { FileOutcome } from "./commit/commit-uploads.ts";
import { type RawBodyDescription, receiveRawBody } from "./receive/receive-raw-body.ts";
import { runUpload } from "./run-upload.ts";
import { type Idempotency, uploadOnce } from "./upload-once.ts";

/**
 * Stores a body that is one file (`runUpload`), once (`uploadOnce`).
 * @throws ServiceError 400, 401, 404, 408, 409, 413, 422, 503 for the request as a whole
 */
export async function uploadRawBody(
  account: AccountContext,
  body: RawBody,
  description: RawBodyDescription,
  idempotency?: Idempotency,
): Promise<FileOutcome[]> {
  return uploadOnce(account, body, idempotency, () =>
    runUpload(account, body, (run, files) => receiveRawBody(run, body, files, description)),
  );
}
