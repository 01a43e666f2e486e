import { ERRORS } from "../domain/errors.ts";
import { isVideo, MEDIA_TYPES, type MediaType } from "../domain/media-types.ts";
import { isTakenDown } from "../domain/takedown.ts";

/** An image to be worked on. */
export interface SourceImage {
  readonly type: MediaType;
  readonly sizeBytes: number;
  /** Opens the image's bytes from the first one; it may be called a second time. @throws Error if they cannot be read */
  open(): Promise<ReadableStream<Uint8Array>>;
}

/** Bytes as a platform stream. */
export function streamBytes(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream();
}

/** An image in R2. The lookup also opens it, so a caller that reads it once needs one R2 operation. */
export class StoredImage implements SourceImage {
  readonly type: MediaType;
  readonly sizeBytes: number;
  readonly #files: R2Bucket;
  readonly #key: string;
  #opened: ReadableStream<Uint8Array> | undefined;

  private constructor(files: R2Bucket, type: MediaType, { key, size, body }: R2ObjectBody) {
    this.type = type;
    this.sizeBytes = size;
    this.#files = files;
    this.#key = key;
    this.#opened = body;
  }

  /**
   * @returns undefined if there is no such image; otherwise the caller must open it
   * @throws ServiceError 451 if it was taken down
   */
  static async find(files: R2Bucket, key: string): Promise<StoredImage | undefined> {
    const object = await files.get(key);
    if (object === null) return undefined;
    if (isTakenDown(object)) throw ERRORS.TakenDown();
    const type = MEDIA_TYPES.find((known) => known === object.httpMetadata?.contentType);
    if (type !== undefined && !isVideo(type)) return new StoredImage(files, type, object);
    await object.body.cancel();
    return undefined;
  }

  /** @throws Error if it was deleted */
  async open(): Promise<ReadableStream<Uint8Array>> {
    const opened = this.#opened ?? (await this.#files.get(this.#key))?.body;
    this.#opened = undefined;
    if (opened === undefined) throw new Error("The image was deleted");
    return opened;
  }
}
