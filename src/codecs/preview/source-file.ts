/** A stored file, as whoever asks for its preview hands it over: a stub, called back for each range. */
export interface PreviewSource {
  /** @returns exactly `length` bytes from `start` on @throws Error where they cannot be read */
  read(start: number, length: number): Promise<ReadableStream<Uint8Array>>;
}

/** A file that is read from its beginning, as far as it is needed. */
export class SourceFile {
  readonly sizeBytes: number;
  readonly #source: PreviewSource;
  #bytes = new Uint8Array();

  constructor(source: PreviewSource, sizeBytes: number) {
    this.#source = source;
    this.sizeBytes = sizeBytes;
  }

  /**
   * The file from its beginning up to `end`, or to its own.
   * @throws Error where a range cannot be read, or brings fewer or more bytes than asked for
   */
  async readTo(end: number): Promise<Uint8Array<ArrayBuffer>> {
    let at = this.#bytes.length;
    const wanted = Math.min(end, this.sizeBytes);
    if (wanted <= at) return this.#bytes;
    let bytes = new Uint8Array(this.#bytes.buffer.transfer(wanted));
    // A reader that brings its own buffer gets pieces as large as they come; reading them one by one takes five times as long.
    const reader = (await this.#source.read(at, wanted - at)).getReader({ mode: "byob" });
    for (;;) {
      // What is one byte too much is to be seen.
      const isFull = at === wanted;
      const { value, done } = await reader.read(isFull ? new Uint8Array(1) : bytes.subarray(at));
      if (done) break;
      if (isFull) throw new Error("A range has more bytes than asked for");
      bytes = new Uint8Array(value.buffer);
      at += value.length;
    }
    if (at < wanted) throw new Error(`A range ended after ${at} of ${wanted} bytes`);
    this.#bytes = bytes;
    return bytes;
  }
}
