import { ERRORS } from "../../domain/errors.ts";
import { MAX_FILES } from "../../domain/limits.ts";
import type { RawBody } from "../../multipart/raw-body.ts";
import type { MultipartPart, MultipartReader } from "../../multipart/read-multipart.ts";
import type { AccountContext } from "../context.ts";
import type { FileOutcome } from "./commit/commit-uploads.ts";
import type { FileSource } from "./receive/client-body.ts";
import { ContentHash } from "./receive/content-hash.ts";
import { IncomingFile } from "./receive/incoming-file.ts";
import {
  addFields,
  defaultFields,
  isChunkField,
  readText,
  refuseSlice,
  type UploadFields,
  type UploadFieldTexts,
} from "./receive/upload-fields.ts";
import { type RequestFiles, runUpload } from "./run-upload.ts";
import { uploadOnce } from "./upload-once.ts";
import type { UploadRun } from "./upload-run.ts";

/**
 * Stores the files of a form, up to 50 (`runUpload`), once (`uploadOnce`).
 * @param key the request's idempotency key
 * @throws ServiceError 400, 401, 404, 408, 409, 413, 422, 503 for the whole request
 */
export async function uploadForm(account: AccountContext, form: MultipartReader, key?: string): Promise<FileOutcome[]> {
  if (key === undefined) return runUpload(account, form, (run, files) => receiveForm(run, form.parts(), files));
  const content = new ContentHash("form");
  const parts = content.ofParts(form.parts());
  return uploadOnce(account, form, {
    key,
    content,
    readThrough: async () => {
      for await (const _ of parts);
    },
    upload: () => runUpload(account, form, (run, files) => receiveForm(run, parts, files), content),
  });
}

/**
 * Stores a raw body (`runUpload`), once (`uploadOnce`).
 * @param key the request's idempotency key
 * @throws ServiceError 400, 401, 404, 408, 409, 413, 422, 503 for the whole request
 */
export async function uploadRawBody(
  account: AccountContext,
  body: RawBody,
  description: RawBodyDescription,
  key?: string,
): Promise<FileOutcome[]> {
  if (key === undefined) {
    return runUpload(account, body, (run, files) => receiveRawBody(run, body, files, description));
  }
  const { filename, folderId = null, tags = null } = description;
  const content = new ContentHash([filename, folderId, tags]);
  const file = content.ofFile(body);
  return uploadOnce(account, body, {
    key,
    content,
    readThrough: async () => {
      while ((await file.read()) !== undefined);
    },
    upload: () => runUpload(account, body, (run, files) => receiveRawBody(run, file, files, description), content),
  });
}

/**
 * Reads a form to its end and stores its files. Unknown fields are skipped, because forms have many kinds of fields.
 * @returns the form's fields
 * @throws ServiceError 400, 404; MultipartError, BodyTooLargeError
 */
async function receiveForm(
  run: UploadRun,
  parts: AsyncIterable<MultipartPart>,
  files: RequestFiles,
): Promise<UploadFields> {
  let fields = defaultFields(run.account);
  let elsewhere: string | undefined;
  const chunking = new Map<string, string>();
  for await (const part of parts) {
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
  // This is checked at the end, because the number of slices may follow the slice, or the index precede it.
  refuseSlice(chunking);
  if (files.count === 0) throw ERRORS.NoFile(whyNoFile(elsewhere));
  return fields;
}

/** A form's empty file input sends a nameless, empty part: no file was chosen. Any other file needs a name. */
async function receiveFile(run: UploadRun, part: MultipartPart, files: RequestFiles): Promise<void> {
  const file = new IncomingFile(part.filename ?? "", part, run);
  if (part.filename) return files.add(file);
  if (part.filename === "" && (await part.read()) === undefined) return;
  const reason =
    part.filename === undefined ? "The field `file` is text; send a file with a filename" : "The file has no filename";
  files.fail({ originalFilename: "", error: ERRORS.InvalidFile(reason) });
  await file.skip();
}

function whyNoFile(elsewhere: string | undefined): string {
  return elsewhere === undefined
    ? "The field `file` is required"
    : `The field \`file\` is required; a file came in the field \`${elsewhere.slice(0, 64)}\``;
}

/** A raw body's description (UP-3). */
interface RawBodyDescription extends UploadFieldTexts {
  /** Empty if the request does not name the file; it is then named by its type. */
  readonly filename: string;
}

/**
 * Reads a raw body and stores it.
 * @throws ServiceError 400 for an empty body or a malformed field, 404 for an unknown folder; MultipartError,
 * BodyTooLargeError
 */
async function receiveRawBody(
  run: UploadRun,
  body: FileSource,
  files: RequestFiles,
  { filename, ...said }: RawBodyDescription,
): Promise<UploadFields> {
  const fields = await addFields(run.account, defaultFields(run.account), said);
  const file = new IncomingFile(filename, body, run);
  if (!(await file.more())) throw ERRORS.NoFile("The body is empty");
  await files.add(file);
  return fields;
}
