/** A stored file that is read from its beginning, as far as it is needed. */
export class SourceFile {
  readonly sizeBytes: number;
  readonly #reader: ReadableStreamBYOBReader;
  #bytes = new Uint8Array();

  /** @param stream of exactly `sizeBytes` */
  constructor(stream: ReadableStream<Uint8Array>, sizeBytes: number) {
    // A reader that brings its own buffer gets pieces as large as they come; reading them one by one takes five times as long.
    this.#reader = stream.getReader({ mode: "byob" });
    this.sizeBytes = sizeBytes;
  }

  /**
   * The file from its beginning up to `end`, or to its own.
   * @throws Error where it cannot be read, or has fewer or more bytes than were announced
   */
  async readTo(end: number): Promise<Uint8Array<ArrayBuffer>> {
    let at = this.#bytes.length;
    const wanted = Math.min(end, this.sizeBytes);
    if (wanted <= at) return this.#bytes;
    let bytes = new Uint8Array(this.#bytes.buffer.transfer(wanted));
    while (at < wanted) {
      const { value, done } = await this.#reader.read(bytes.subarray(at));
      if (done) throw new Error(`The file ended after ${at} of ${this.sizeBytes} bytes`);
      bytes = new Uint8Array(value.buffer);
      at += value.length;
    }
    if (at === this.sizeBytes && !(await this.#reader.read(new Uint8Array(1))).done)
      throw new Error(`The file has more than ${this.sizeBytes} bytes`);
    this.#bytes = bytes;
    return bytes;
  }

  /** The rest is not wanted. After the end this does nothing. */
  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }
}
