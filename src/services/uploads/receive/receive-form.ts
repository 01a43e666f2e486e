import { ERRORS } from "../../../domain/errors.ts";
import { MAX_FILES } from "../../../domain/limits.ts";
import type { MultipartPart, MultipartReader } from "../../../multipart/read-multipart.ts";
import type { StoredFiles } from "../store/stored-files.ts";
import type { UploadRun } from "../upload-run.ts";
import { isChunkField, refuseSlice } from "./chunk-fields.ts";
import { IncomingFile } from "./incoming-file.ts";
import { readText } from "./read-text.ts";
import { addFields, NO_FIELDS, type UploadFields } from "./upload-fields.ts";

/**
 * Reads a form to its end and has its files stored on the way. Fields that are not known are skipped, as forms carry all
 * kinds of them.
 * @returns what the form says about its files
 * @throws ServiceError 400, 404; MultipartError, BodyTooLargeError
 */
export async function receiveForm(run: UploadRun, form: MultipartReader, files: StoredFiles): Promise<UploadFields> {
  let fields = NO_FIELDS;
  let elsewhere: string | undefined;
  const chunking = new Map<string, string>();
  for await (const part of form.parts()) {
    const { name, filename } = part;
    if (name === "file") {
      if (files.count === MAX_FILES) throw ERRORS.TooManyFiles(MAX_FILES);
      await receiveFile(run, part, files);
    } else if (filename !== undefined) {
      elsewhere ??= name;
    } else if (name === "folderId" || name === "tags") {
      fields = await addFields(run.account, fields, { [name]: await readText(part) });
    } else if (isChunkField(name)) {
      chunking.set(name, await readText(part));
    }
  }
  // Only here: the number of slices may stand behind the slice, or its index before it.
  refuseSlice(chunking);
  if (files.count === 0) throw ERRORS.NoFile(whyNoFile(elsewhere));
  return fields;
}

/** A form's empty file input sends a nameless, empty part: no file was chosen. Any other file needs a name. */
async function receiveFile(run: UploadRun, part: MultipartPart, files: StoredFiles): Promise<void> {
  const file = new IncomingFile(part.filename ?? "", part, run);
  if (part.filename) return files.add(file);
  if (part.filename === "" && (await part.read()) === undefined) return;
  const reason =
    part.filename === undefined
      ? "The field `file` is text; send it as a file, with a filename"
      : "The file has no filename";
  files.fail({ originalFilename: "", error: ERRORS.InvalidFile(reason) });
  await file.skip();
}

function whyNoFile(elsewhere: string | undefined): string {
  return elsewhere === undefined
    ? "The field `file` is required"
    : `The field \`file\` is required; a file came in the field \`${elsewhere.slice(0, 64)}\``;
}
