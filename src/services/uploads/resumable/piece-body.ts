import { RawBody } from "../../../multipart/byte-window.ts";
import { BodyTooLargeError, MultipartError } from "../../../multipart/multipart-error.ts";
import type { ClientBody, FileSource } from "../receive/client-body.ts";
import type { ContentHash } from "../receive/content-hash.ts";

/** The bytes of an upload in one request. If the body breaks off, the received bytes count. */
export class PieceBody implements ClientBody, FileSource {
  readonly #body: RawBody | undefined;
  readonly #source: FileSource | undefined;
  /** Identifies the request, if it has an idempotency key. */
  readonly content: ContentHash | undefined;
  #isTooLong = false;

  /**
   * @param stream null if the request has no body
   * @param totalBytes the body's size, if it is known
   * @param maxBytes the upload's remaining bytes
   */
  constructor(
    stream: ReadableStream<Uint8Array> | null,
    totalBytes: number | undefined,
    maxBytes: number,
    content?: ContentHash,
  ) {
    this.#body = stream === null ? undefined : new RawBody(stream, totalBytes, maxBytes);
    this.#source = (this.#body && content?.ofFile(this.#body)) ?? this.#body;
    this.content = content;
  }

  /** Whether the body has more bytes than the upload takes. */
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
      return await this.#source?.read();
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
