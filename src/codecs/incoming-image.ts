import { hasEnded, readInto } from "../isolate/read-into.ts";

/** The most bytes of an image that are read before memory for the whole image is granted. */
const HEAD_BYTES = 64 * 1024;

/** An image stream whose head can be read before memory for all of it is granted. */
export class IncomingImage {
  readonly sizeBytes: number;
  readonly #reader: ReadableStreamBYOBReader;
  #head = new Uint8Array();

  /** @param stream a byte stream of exactly `sizeBytes` */
  constructor(stream: ReadableStream<Uint8Array>, sizeBytes: number) {
    this.#reader = stream.getReader({ mode: "byob" });
    this.sizeBytes = sizeBytes;
  }

  /** Reads the first chunk. @throws Error if the stream breaks off */
  async readHead(): Promise<Uint8Array> {
    if (this.#head.length === 0) {
      const { value } = await this.#reader.read(new Uint8Array(HEAD_BYTES));
      this.#head = value ?? this.#head;
    }
    return this.#head;
  }

  /**
   * Reads the image into one buffer of its exact size, because any other way would hold it twice.
   * @throws Error if the stream breaks off or has fewer or more bytes than announced
   */
  async readAll(): Promise<Uint8Array<ArrayBuffer>> {
    const head = await this.readHead();
    if (head.length > this.sizeBytes) throw new Error(`The image has more than ${this.sizeBytes} bytes`);
    const buffer = new Uint8Array(this.sizeBytes);
    buffer.set(head);
    const { bytes, length } = await readInto(this.#reader, buffer, head.length);
    if (length < this.sizeBytes) throw new Error(`The image ended after ${length} of ${this.sizeBytes} bytes`);
    if (!(await hasEnded(this.#reader))) throw new Error(`The image has more than ${this.sizeBytes} bytes`);
    return bytes;
  }

  /** Cancels the rest. Does nothing after the end. */
  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }
}
