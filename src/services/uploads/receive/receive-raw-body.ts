import { ERRORS } from "../../../domain/errors.ts";
import type { RawBody } from "../../../multipart/raw-body.ts";
import type { StoredFiles } from "../store/stored-files.ts";
import type { UploadRun } from "../upload-run.ts";
import { IncomingFile } from "./incoming-file.ts";
import { addFields, NO_FIELDS, type UploadFields, type UploadFieldTexts } from "./upload-fields.ts";

/** What a request says about the file that its body is. */
export interface RawBodyDescription extends UploadFieldTexts {
  /** Empty if the request does not name the file: it is called after its type then. */
  readonly filename: string;
}

/**
 * Reads a body that is one file and has it stored.
 * @throws ServiceError 400 for an empty body or a malformed field, 404 for an unknown folder; MultipartError, BodyTooLargeError
 */
export async function receiveRawBody(
  run: UploadRun,
  body: RawBody,
  files: StoredFiles,
  { filename, ...said }: RawBodyDescription,
): Promise<UploadFields> {
  const fields = await addFields(run.account, NO_FIELDS, said);
  const file = new IncomingFile(filename, body, run);
  if (!(await file.more())) throw ERRORS.NoFile("The body is empty");
  await files.add(file);
  return fields;
}
