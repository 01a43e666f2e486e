import { ERRORS, ServiceError } from "../../domain/errors.ts";
import { MAX_FILES } from "../../domain/limits.ts";
import type { ScrubMode } from "../../domain/metadata-mode.ts";
import { PART_BYTES } from "../../domain/parts.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { MultipartPart, MultipartReader } from "../../multipart/read-multipart.ts";
import type { AccountContext } from "../context.ts";
import { commitUploads, type FailedFile, type FileOutcome, type FileResult } from "./commit/commit-uploads.ts";
import { dropDuplicates } from "./drop-duplicates.ts";
import { DuplicateFound } from "./known-bytes.ts";
import type { ClientBody, FileSource } from "./receive/client-body.ts";
import { ContentHash } from "./receive/content-hash.ts";
import { IncomingFile } from "./receive/incoming-file.ts";
import {
  addFields,
  addOptions,
  defaultFields,
  isChunkField,
  isStorageOption,
  isUploadField,
  readText,
  refuseSlice,
  requireOneFile,
  type StorageOptionTexts,
  type UploadFields,
  type UploadFieldTexts,
} from "./receive/upload-fields.ts";
import type { StoredFile } from "./store/identify-file.ts";
import { storeFile } from "./store/store-file.ts";
import { uploadOnce } from "./upload-once.ts";
import { identifyClaim, type UploadRun, watch } from "./upload-run.ts";

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
  body: ClientBody & FileSource,
  description: RawBodyDescription,
  key?: string,
): Promise<FileOutcome[]> {
  if (key === undefined) {
    return runUpload(account, body, (run, files) => receiveRawBody(run, body, files, description));
  }
  const { filename, fields, options = {} } = description;
  const hasOptions = Object.values(options).some((said) => said !== undefined);
  const content = new ContentHash([filename, fields, ...(hasOptions ? [options] : [])]);
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
 * Stores the files of one request: reserve, R2, then all rows in one transaction, then settle. Each file is stored or
 * refused alone, but a body that is malformed or breaks off stores nothing (UP-5, UP-7).
 * @param receive reads the body to its end and stores its files
 * @param content identifies the account's claim after the body was read
 * @returns the outcome of each file, in the request's order
 * @throws ServiceError 400, 401, 404, 408, 413, 503 for the whole request, with nothing left in any store
 */
async function runUpload(
  account: AccountContext,
  body: ClientBody,
  receive: (run: UploadRun, files: RequestFiles) => Promise<UploadFields>,
  content?: ContentHash,
): Promise<FileOutcome[]> {
  return watch(account, body, async (run) => {
    const files = new RequestFiles(run);
    try {
      const fields = await receive(run, files);
      const [results] = await Promise.all([files.all(), identifyClaim(account, content)]);
      const unique = run.options.dedupe ? await dropDuplicates(run, results) : results;
      return await commitUploads(run, unique, fields);
    } catch (error) {
      await files.ended();
      await run.open.rollBack();
      throw error;
    }
  });
}

export interface RawReplacement extends Pick<RawBodyDescription, "filename" | "options"> {
  readonly raw: ClientBody & FileSource;
  /** Which metadata is removed, in place of the account's setting. */
  readonly scrub?: ScrubMode;
}

/**
 * Stores the only file of a request that replaces a file (`AccountContext.replaces`), by the steps of an upload.
 * @param commit gives the file its new bytes
 * @throws ServiceError as `uploadForm`; 400 for a second file and for fields of an upload
 */
export async function receiveReplacement<Result>(
  account: AccountContext,
  body: { readonly form: MultipartReader } | RawReplacement,
  commit: (run: UploadRun, file: StoredFile) => Promise<Result>,
): Promise<Result> {
  return watch(account, "form" in body ? body.form : body.raw, async (run) => {
    const files = new RequestFiles(run);
    try {
      if ("form" in body) {
        await receiveForm(run, body.form.parts(), files);
      } else {
        run.options = { scrub: body.scrub };
        await receiveRawBody(run, body.raw, files, { ...body, fields: {} });
      }
      const [result] = await files.all();
      if (result !== undefined && "failed" in result) throw result.failed.error;
      if (result === undefined || !("file" in result)) throw new Error("A replacement stores one file");
      return await commit(run, result.file);
    } catch (error) {
      await files.ended();
      await run.open.rollBack();
      throw error;
    }
  });
}

/** Limits of concurrent writes to R2: their number, because a Worker has six connections, and the bytes they hold. */
const MAX_STORING = 4;
const MAX_HELD_BYTES = 2 * PART_BYTES;

/** A request's files in order: each is stored or fails separately. */
class RequestFiles {
  readonly #run: UploadRun;
  readonly #results: Promise<FileResult>[] = [];
  /** Files that were read but are not stored yet, with the bytes they hold. */
  readonly #storing = new Map<Promise<unknown>, number>();

  constructor(run: UploadRun) {
    this.#run = run;
  }

  get count(): number {
    return this.#results.length;
  }

  /**
   * Reads a file to its end. It may still be stored while the next file is read.
   * @throws ServiceError 503 if there is no memory for the request's first file: the rest of the body is not read
   */
  async add(incoming: IncomingFile, { visibility }: UploadFields): Promise<void> {
    await this.#waitForRoom();
    try {
      const { heldBytes, stored } = await storeFile(this.#run, incoming, visibility);
      const result: Promise<FileResult> = stored.then(
        (file) => ({ file }),
        (error: unknown) => toResult(incoming, error),
      );
      this.#results.push(result);
      this.#track(result, heldBytes);
    } catch (error) {
      const result = toResult(incoming, error);
      const isBusy = "failed" in result && result.failed.error.code === "service_unavailable";
      if (isBusy && this.count === 0) throw error;
      this.#results.push(Promise.resolve(result));
      await incoming.skip();
    }
  }

  /** Records a file that is not stored. */
  fail(failed: FailedFile): void {
    this.#results.push(Promise.resolve({ failed }));
  }

  /** @throws Error if a store failed: the whole request fails */
  all(): Promise<FileResult[]> {
    return Promise.all(this.#results);
  }

  /** Waits until nothing is in progress, also after failures. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#results);
  }

  async #waitForRoom(): Promise<void> {
    const heldBytes = () => [...this.#storing.values()].reduce((sum, bytes) => sum + bytes, 0);
    while (this.#storing.size >= MAX_STORING || heldBytes() + PART_BYTES > MAX_HELD_BYTES) {
      await Promise.race(this.#storing.keys());
    }
  }

  #track(result: Promise<FileResult>, heldBytes: number): void {
    const remove = () => {
      this.#storing.delete(done);
      this.#run.progress.fileEnded();
    };
    const done: Promise<unknown> = result.then(remove, remove);
    this.#storing.set(done, heldBytes);
  }
}

/** Files fail one by one, but a broken body or a failing store fails the whole request. */
function toResult({ uploadedName }: IncomingFile, error: unknown): FileResult {
  if (error instanceof ServiceError) return { failed: { originalFilename: uploadedName, error } };
  if (error instanceof DuplicateFound) return { duplicate: error.upload };
  throw error;
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
  const { replaces } = run.account;
  const maxFiles = replaces === undefined ? MAX_FILES : 1;
  let elsewhere: string | undefined;
  const chunking = new Map<string, string>();
  const readAs = new Set<Visibility>();
  for await (const part of parts) {
    const { name, filename } = part;
    if (name === "file") {
      if (files.count === maxFiles) throw ERRORS.TooManyFiles(maxFiles);
      readAs.add(fields.visibility);
      await receiveFile(run, part, files, fields);
    } else if (filename !== undefined) {
      elsewhere ??= name;
    } else if (replaces !== undefined && (name === "dedupe" || isUploadField(name))) {
      throw ERRORS.InvalidRequest({ [name]: "Not a field of new content: change it by PATCH" });
    } else if (isStorageOption(name)) {
      if (name === "compress" && files.count > 0)
        throw ERRORS.InvalidRequest({ compress: "Must come before the file" });
      run.options = addOptions(run.account, run.options, { [name]: await readText(part) });
    } else if (isUploadField(name)) {
      fields = await addFields(run.account, fields, { [name]: await readText(part) });
    } else if (isChunkField(name)) {
      chunking.set(name, await readText(part));
    }
  }
  // This is checked at the end, because the number of slices may follow the slice, or the index precede it.
  refuseSlice(chunking);
  if (files.count === 0) throw ERRORS.NoFile(whyNoFile(elsewhere));
  requireOneFile(fields, files.count);
  // The duplicate that was found in place of the file may have the visibility that was known before.
  if (run.options.dedupe && [...readAs].some((visibility) => visibility !== fields.visibility))
    throw ERRORS.InvalidRequest({ visibility: "Must come before the file if `dedupe` is true" });
  return fields;
}

/** A form's empty file input sends a nameless, empty part: no file was chosen. Any other file needs a name. */
async function receiveFile(
  run: UploadRun,
  part: MultipartPart,
  files: RequestFiles,
  fields: UploadFields,
): Promise<void> {
  const file = new IncomingFile(part.filename ?? "", part, run);
  if (part.filename) return files.add(file, fields);
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
interface RawBodyDescription {
  /** Empty if the request does not name the file; it is then named by its type. */
  readonly filename: string;
  readonly fields: UploadFieldTexts;
  readonly options?: StorageOptionTexts;
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
  { filename, fields: said, options = {} }: RawBodyDescription,
): Promise<UploadFields> {
  run.options = addOptions(run.account, run.options, options);
  const fields = await addFields(run.account, defaultFields(run.account), said);
  const file = new IncomingFile(filename, body, run);
  if (!(await file.more())) throw ERRORS.NoFile("The body is empty");
  await files.add(file, fields);
  return fields;
}
