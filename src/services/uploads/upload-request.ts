import { deleteUploads, insertUploads } from "../../db/queries/uploads.ts";
import type { Upload } from "../../db/schema.ts";
import { ERRORS, ServiceError } from "../../domain/errors.ts";
import type { MultipartPart, MultipartReader } from "../../media/multipart/read-multipart.ts";
import { isVideo } from "../../media/sniff.ts";
import type { AccountContext } from "../context.ts";
import { readCompressionSetting } from "./compression-setting.ts";
import { IncomingFile } from "./incoming-file.ts";
import { PART_BYTES } from "./part-buffer.ts";
import { PartBuffers } from "./part-buffers.ts";
import { storeFile } from "./store-file.ts";
import type { StoredFile } from "./stored-file.ts";
import { NO_FIELDS, readUploadField, type UploadFields } from "./upload-fields.ts";
import type { UploadTracker } from "./upload-tracker.ts";

export const MAX_FILES = 50;
/** Small files that are on their way to R2 at once: by number, as a Worker has six connections, and by memory. */
const MAX_PUTS = 4;
const MAX_PUT_BYTES = 2 * PART_BYTES;
const RETRY_AFTER_SECONDS = 5;

export interface FailedFile {
  readonly originalFilename: string;
  readonly error: ServiceError;
}

export type FileOutcome = { readonly upload: Upload } | { readonly failed: FailedFile };

type Pending = Promise<{ readonly file: StoredFile } | { readonly failed: FailedFile }>;

/** One request's files, from the first byte of the body to the settled rows. */
export class UploadRequest implements UploadTracker {
  readonly #account: AccountContext;
  readonly #reader: MultipartReader;
  readonly #files: Pending[] = [];
  readonly #puts = new Map<Promise<unknown>, number>();
  readonly #buffers = new PartBuffers();
  /** Announced uploads and their objects. */
  readonly #open = new Map<string, string>();
  readonly #findQuality: ReturnType<typeof readCompressionSetting>;
  #fields: UploadFields = NO_FIELDS;

  constructor(account: AccountContext, reader: MultipartReader) {
    this.#account = account;
    this.#reader = reader;
    this.#findQuality = readCompressionSetting(account);
  }

  get openUploadIds(): string[] {
    return [...this.#open.keys()];
  }

  /** Whether it holds memory that others wait for. */
  get holdsUpOthers(): boolean {
    return this.#buffers.isWanted;
  }

  began({ uploadId, objectKey }: { uploadId: string; objectKey: string }): void {
    this.#open.set(uploadId, objectKey);
  }

  async undone(uploadId: string): Promise<void> {
    this.#open.delete(uploadId);
    // Awaited: what it had reserved may be what the request's next file needs.
    await this.#account.meter.release([uploadId]);
  }

  abandoned(uploadId: string): void {
    this.#open.delete(uploadId);
  }

  /** Reads the body to its end, storing its files on the way. */
  async receive(): Promise<void> {
    let elsewhere: string | undefined;
    for await (const part of this.#reader.parts()) {
      if (part.name === "file") await this.#receiveFile(part);
      else if (part.filename !== undefined) elsewhere ??= part.name;
      else this.#fields = await readUploadField(this.#account, part, this.#fields);
    }
    if (this.#files.length > 0) return;
    throw ERRORS.NoFile(
      elsewhere === undefined
        ? "The field `file` is required"
        : `The field \`file\` is required; a file came in the field \`${elsewhere.slice(0, 64)}\``,
    );
  }

  async #receiveFile(part: MultipartPart): Promise<void> {
    if (this.#files.length === MAX_FILES) throw ERRORS.TooManyFiles(MAX_FILES);
    const file = new IncomingFile(part, part.filename ?? "", this.#reader);
    if (!part.filename) return this.#receiveNameless(part, file);
    await this.#waitForPuts(PART_BYTES);
    try {
      const { bufferedBytes, stored } = await storeFile(this.#account, file, this, this.#buffers, this.#findQuality);
      const pending: Pending = stored.then(
        (storedFile) => ({ file: storedFile }),
        (error: unknown) => ({ failed: toFailedFile(file, error) }),
      );
      this.#files.push(pending);
      this.#trackPut(pending, bufferedBytes);
    } catch (error) {
      this.#files.push(Promise.resolve({ failed: toFailedFile(file, error) }));
      await file.skip();
    }
  }

  /** A form's empty file input sends a nameless, empty part: no file was chosen. Anything else lacks its name. */
  async #receiveNameless(part: MultipartPart, file: IncomingFile): Promise<void> {
    if (part.filename === "" && (await part.read()) === undefined) return;
    const reason =
      part.filename === undefined
        ? "The field `file` is text; send it as a file, with a filename"
        : "The file has no filename";
    this.#files.push(Promise.resolve({ failed: { originalFilename: "", error: ERRORS.InvalidFile(reason) } }));
    await file.skip();
  }

  /** Waits until `bytes` more may be buffered. */
  async #waitForPuts(bytes: number): Promise<void> {
    const buffered = () => [...this.#puts.values()].reduce((sum, size) => sum + size, 0);
    while (this.#puts.size >= MAX_PUTS || buffered() + bytes > MAX_PUT_BYTES) await Promise.race(this.#puts.keys());
  }

  #trackPut(pending: Pending, bytes: number): void {
    if (bytes === 0) return;
    const remove = () => this.#puts.delete(done);
    const done: Promise<unknown> = pending.then(remove, remove);
    this.#puts.set(done, bytes);
  }

  /** Rows, messages, figures: from here on the files exist. */
  async commit(): Promise<FileOutcome[]> {
    const results = await Promise.all(this.#files);
    const uploads = new Map(results.flatMap((result) => ("file" in result ? [this.#toUpload(result.file)] : [])));
    await this.#insert([...uploads.values()]);
    await this.#announceVideos([...uploads.values()]);
    const undone = await this.#settle([...uploads.values()]);
    return results.map((result) => {
      if ("failed" in result) return result;
      const upload = uploads.get(result.file.uploadId);
      return upload === undefined || undone.has(upload.id)
        ? { failed: { originalFilename: result.file.originalFilename, error: ERRORS.Unavailable(RETRY_AFTER_SECONDS) } }
        : { upload };
    });
  }

  #toUpload(file: StoredFile): [string, Upload] {
    const upload: Upload = {
      id: file.uploadId,
      accountId: this.#account.accountId,
      folderId: this.#fields.folderId,
      status: "active",
      objectKey: file.objectKey,
      originalFilename: file.originalFilename,
      mimeType: file.mimeType,
      sizeBytes: file.sizeBytes,
      originalSizeBytes: file.originalSizeBytes,
      compressionQuality: file.compressionQuality,
      width: file.width,
      height: file.height,
      favorite: false,
      tags: this.#fields.tags,
      createdAt: file.createdAt,
      durationMs: null,
      thumbnailSizeBytes: null,
      thumbnailError: null,
    };
    return [upload.id, upload];
  }

  async #insert(uploads: readonly Upload[]): Promise<void> {
    try {
      await insertUploads(this.#account.db, uploads);
    } catch (error) {
      if (!/FOREIGN KEY/i.test(String(error instanceof Error ? (error.cause ?? error) : error))) throw error;
      // The folder was there when its field was read, and the account when its key was.
      throw this.#fields.folderId === null ? ERRORS.InvalidKey() : ERRORS.FolderNotFound();
    }
  }

  /** Before settling, so that the intent's replay sends what a crash kept from being sent. */
  async #announceVideos(uploads: readonly Upload[]): Promise<void> {
    const { accountId, uploadEvents } = this.#account;
    const messages = uploads
      .filter(({ mimeType }) => isVideo(mimeType))
      .map(({ id, objectKey, mimeType }) => ({
        body: { type: "upload.stored" as const, accountId, uploadId: id, objectKey, mimeType },
      }));
    if (messages.length > 0) await uploadEvents.sendBatch(messages);
  }

  /** @returns the uploads that the alarm had undone meanwhile, with nothing left of them */
  async #settle(uploads: readonly Upload[]): Promise<Set<string>> {
    if (uploads.length === 0) return new Set();
    const objectKeys = new Map(this.#open);
    // Rows and objects are complete: should the meter's answer get lost, its alarm settles them, and nothing is undone.
    this.#open.clear();
    const { missing, figures } = await this.#account.meter.settleUploads(
      uploads.map(({ id, sizeBytes }) => ({ uploadId: id, sizeBytes })),
    );
    if (figures !== undefined) this.#account.figures = figures;
    if (missing.length > 0) {
      await deleteUploads(this.#account.db, this.#account.accountId, missing);
      await this.#account.files.delete(missing.flatMap((id) => objectKeys.get(id) ?? []));
    }
    return new Set(missing);
  }

  /**
   * Removes what the request left behind. Where that fails too, the intents stay and the account's alarm does it later.
   */
  async rollBack(): Promise<void> {
    await Promise.allSettled(this.#files);
    if (this.#open.size === 0) return;
    const { db, files, meter, accountId } = this.#account;
    try {
      await deleteUploads(db, accountId, [...this.#open.keys()]);
      await files.delete([...this.#open.values()]);
      await meter.release([...this.#open.keys()]);
    } catch (error) {
      console.error("An upload could not be undone at once", error);
    }
  }
}

/**
 * The files of a request fail one by one, but a broken body or a failing store is the request's failure.
 */
function toFailedFile(file: IncomingFile, error: unknown): FailedFile {
  if (error instanceof ServiceError) return { originalFilename: file.uploadedName, error };
  throw error;
}
