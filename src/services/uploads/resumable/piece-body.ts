import { BodyTooLargeError, MultipartError } from "../../../multipart/multipart-error.ts";
import { RawBody } from "../../../multipart/raw-body.ts";
import type { ClientBody, FileSource } from "../receive/client-body.ts";

/** The bytes that one request brings of an upload. A body that breaks off ends there: what has come of it counts. */
export class PieceBody implements ClientBody, FileSource {
  readonly #body: RawBody | undefined;
  #isTooLong = false;

  /**
   * @param stream null where the request has no body
   * @param totalBytes of the body, if it is known
   * @param maxBytes that the upload still takes
   */
  constructor(stream: ReadableStream<Uint8Array> | null, totalBytes: number | undefined, maxBytes: number) {
    this.#body = stream === null ? undefined : new RawBody(stream, totalBytes, maxBytes);
  }

  /** Whether the body went on after the last byte that the upload takes. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  get receivedBytes(): number {
    return this.#body?.receivedBytes ?? 0;
  }

  get silentMs(): number {
    return this.#body?.silentMs ?? 0;
  }

  get waitedMs(): number {
    return this.#body?.waitedMs ?? 0;
  }

  get isSizeKnown(): boolean {
    return this.#body?.isSizeKnown ?? true;
  }

  get remainingContentBytes(): number {
    return this.#body?.remainingContentBytes ?? 0;
  }

  async read(): Promise<Uint8Array | undefined> {
    try {
      return await this.#body?.read();
    } catch (error) {
      this.#isTooLong = error instanceof BodyTooLargeError;
      if (this.#isTooLong || error instanceof MultipartError) return undefined;
      throw error;
    }
  }

  async cancel(): Promise<void> {
    await this.#body?.cancel();
  }

  async refuse(): Promise<void> {
    await this.#body?.refuse();
  }
}
