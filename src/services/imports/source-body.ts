import { RawBody } from "../../multipart/byte-window.ts";
import type { ClientBody, FileSource } from "../uploads/receive/client-body.ts";
import type { Source } from "./open-source.ts";

/** A source as the body of an upload. No client waits for an answer, so a refused body is not read further. */
export class SourceBody implements ClientBody, FileSource {
  readonly #body: RawBody;

  constructor({ bytes, totalBytes }: Pick<Source, "bytes" | "totalBytes">, maxBytes: number) {
    this.#body = new RawBody(bytes.stream, totalBytes, maxBytes);
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
