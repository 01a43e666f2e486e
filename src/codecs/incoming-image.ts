import { hasEnded, readInto } from "../isolate/read-into.ts";

/** What is read of an image before there is memory for all of it, at most. */
const HEAD_BYTES = 64 * 1024;

/** An image as it comes in: its head can be looked at before there is memory for all of it. */
export class IncomingImage {
  readonly sizeBytes: number;
  readonly #reader: ReadableStreamBYOBReader;
  #head = new Uint8Array();

  /** @param stream a byte stream of exactly `sizeBytes` */
  constructor(stream: ReadableStream<Uint8Array>, sizeBytes: number) {
    this.#reader = stream.getReader({ mode: "byob" });
    this.sizeBytes = sizeBytes;
  }

  /** The first bytes, as many as came at once. @throws Error where the stream breaks off */
  async readHead(): Promise<Uint8Array> {
    if (this.#head.length === 0) {
      const { value } = await this.#reader.read(new Uint8Array(HEAD_BYTES));
      this.#head = value ?? this.#head;
    }
    return this.#head;
  }

  /**
   * All of it in one buffer of its size: gathered in any other way it would be in memory twice.
   * @throws Error where the stream breaks off, or brings fewer or more bytes than announced
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

  /** The rest is not wanted. After the end this does nothing. */
  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }
}
