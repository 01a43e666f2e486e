import { hasEnded, readInto } from "../../isolate/read-into.ts";

/** A stored file that is read from its beginning as far as needed. */
export class SourceFile {
  readonly sizeBytes: number;
  readonly #reader: ReadableStreamBYOBReader;
  #bytes = new Uint8Array();

  /** @param stream exactly `sizeBytes` long */
  constructor(stream: ReadableStream<Uint8Array>, sizeBytes: number) {
    this.#reader = stream.getReader({ mode: "byob" });
    this.sizeBytes = sizeBytes;
  }

  /**
   * Returns the file's bytes from its beginning to `end` or its own end.
   * @throws Error if the file cannot be read or has fewer or more bytes than announced
   */
  async readTo(end: number): Promise<Uint8Array<ArrayBuffer>> {
    const wanted = Math.min(end, this.sizeBytes);
    const { length: known } = this.#bytes;
    if (wanted <= known) return this.#bytes;
    const buffer = new Uint8Array(this.#bytes.buffer.transfer(wanted));
    const { bytes, length } = await readInto(this.#reader, buffer, known);
    if (length < wanted) throw new Error(`The file ended after ${length} of ${this.sizeBytes} bytes`);
    if (wanted === this.sizeBytes && !(await hasEnded(this.#reader)))
      throw new Error(`The file has more than ${this.sizeBytes} bytes`);
    this.#bytes = bytes;
    return bytes;
  }

  /** The bytes that were read up to now. */
  get known(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  /** Cancels the rest. Does nothing after the end. */
  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }
}
