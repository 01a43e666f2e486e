import { RawBody } from "../../../multipart/byte-window.ts";
import type { ClientBody, FileSource } from "./client-body.ts";

/** A stream of another server or of R2 as the body of an upload. Its sender waits for no answer, so a refused body is not read further. */
export class SourceBody implements ClientBody, FileSource {
  readonly #body: RawBody;

  /** @param totalBytes of the stream, if it is known */
  constructor(stream: ReadableStream<Uint8Array>, totalBytes: number | undefined, maxBytes: number) {
    this.#body = new RawBody(stream, totalBytes, maxBytes);
  }

  get receivedBytes(): number {
    return this.#body.receivedBytes;
  }

  get silentMs(): number {
    return this.#body.silentMs;
  }

  get waitedMs(): number {
    return this.#body.waitedMs;
  }

  get isSizeKnown(): boolean {
    return this.#body.isSizeKnown;
  }

  get remainingContentBytes(): number {
    return this.#body.remainingContentBytes;
  }

  read(): Promise<Uint8Array | undefined> {
    return this.#body.read();
  }

  skip(): Promise<void> {
    return this.#body.cancel();
  }

  cancel(): Promise<void> {
    return this.#body.cancel();
  }

  refuse(): Promise<void> {
    return this.#body.cancel();
  }
}
