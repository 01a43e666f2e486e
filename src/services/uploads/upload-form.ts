import type { MultipartReader } from "../../multipart/read-multipart.ts";
import type { AccountContext } from "../context.ts";
import type { FileOutcome } from "./commit/commit-uploads.ts";
import { receiveForm } from "./receive/receive-form.ts";
import { runUpload } from "./run-upload.ts";
import { type Idempotency, uploadOnce } from "./upload-once.ts";

/**
 * Stores the files of a form, up to 50 of them (`runUpload`), once (`uploadOnce`).
 * @throws ServiceError 400, 401, 404, 408, 409, 413, 422, 503 for the request as a whole
 */
export async function uploadForm(
  account: AccountContext,
  form: MultipartReader,
  idempotency?: Idempotency,
): Promise<FileOutcome[]> {
  return uploadOnce(account, form, idempotency, () =>
    runUpload(account, form, (run, files) => receiveForm(run, form, files)),
  );
}
