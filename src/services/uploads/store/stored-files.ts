import { ServiceError } from "../../../domain/errors.ts";
import { PART_BYTES } from "../../../domain/parts.ts";
import type { IncomingFile } from "../receive/incoming-file.ts";
import type { UploadRun } from "../upload-run.ts";
import { storeFile } from "./store-file.ts";
import type { StoredFile } from "./stored-file.ts";

/** Files that are on their way to R2 at once: by number, as a Worker has six connections, and by what they hold. */
const MAX_STORING = 4;
const MAX_HELD_BYTES = 2 * PART_BYTES;

export interface FailedFile {
  readonly originalFilename: string;
  readonly error: ServiceError;
}

export type FileResult = { readonly file: StoredFile } | { readonly failed: FailedFile };

/** A request's files in their order: each is stored, or failed for itself. */
export class StoredFiles {
  readonly #run: UploadRun;
  readonly #results: Promise<FileResult>[] = [];
  /** Files that were read to their end and are not stored yet, with the bytes that they hold. */
  readonly #storing = new Map<Promise<unknown>, number>();

  constructor(run: UploadRun) {
    this.#run = run;
  }

  get count(): number {
    return this.#results.length;
  }

  /**
   * Reads a file to its end. Its storing may go on while the request's next file is read.
   * @throws ServiceError 503 if there is no memory for the request's first file: the rest of the body is not read then
   */
  async add(incoming: IncomingFile): Promise<void> {
    await this.#waitForRoom();
    try {
      const { heldBytes, stored } = await storeFile(this.#run, incoming);
      const result: Promise<FileResult> = stored.then(
        (file) => ({ file }),
        (error: unknown) => ({ failed: toFailedFile(incoming, error) }),
      );
      this.#results.push(result);
      this.#track(result, heldBytes);
    } catch (error) {
      const failed = toFailedFile(incoming, error);
      if (failed.error.statusCode === 503 && this.count === 0) throw error;
      this.fail(failed);
      await incoming.skip();
    }
  }

  /** Notes a file that is not stored. */
  fail(failed: FailedFile): void {
    this.#results.push(Promise.resolve({ failed }));
  }

  /** @throws Error if a store failed: that is the request's failure */
  all(): Promise<FileResult[]> {
    return Promise.all(this.#results);
  }

  /** Waits until nothing is under way any more, whatever came of it. */
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
    const remove = () => this.#storing.delete(done);
    const done: Promise<unknown> = result.then(remove, remove);
    this.#storing.set(done, heldBytes);
  }
}

/** The files of a request fail one by one, but a broken body or a failing store is the request's failure. */
function toFailedFile({ uploadedName }: IncomingFile, error: unknown): FailedFile {
  if (error instanceof ServiceError) return { originalFilename: uploadedName, error };
  throw error;
}
