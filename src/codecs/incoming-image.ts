/** An image as it comes in: its head can be looked at before there is memory for all of it. */
export class IncomingImage {
  readonly sizeBytes: number;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #head: Uint8Array = new Uint8Array();

  constructor(stream: ReadableStream<Uint8Array>, sizeBytes: number) {
    this.#reader = stream.getReader();
    this.sizeBytes = sizeBytes;
  }

  /** The first bytes, as many as came at once. @throws Error where the stream breaks off */
  async readHead(): Promise<Uint8Array> {
    if (this.#head.length === 0) this.#head = (await this.#reader.read()).value ?? new Uint8Array();
    return this.#head;
  }

  /**
   * All of it in one buffer of its size: gathered in any other way it would be in memory twice.
   * @throws Error where the stream breaks off, or brings fewer or more bytes than announced
   */
  async readAll(): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(this.sizeBytes);
    let length = 0;
    const append = (piece: Uint8Array) => {
      if (length + piece.length > bytes.length) throw new Error(`The image has more than ${bytes.length} bytes`);
      bytes.set(piece, length);
      length += piece.length;
    };
    append(await this.readHead());
    for (let read = await this.#reader.read(); !read.done; read = await this.#reader.read()) append(read.value);
    if (length < bytes.length) throw new Error(`The image ended after ${length} of ${bytes.length} bytes`);
    return bytes;
  }

  /** The rest is not wanted. After the end this does nothing. */
  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }
}
