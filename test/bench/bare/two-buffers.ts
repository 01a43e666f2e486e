const CHUNK_BYTES = 1024 * 1024;

/** Reads a body into two buffers in turn, so that reading and writing overlap and no part is ever held. */
export class TwoBuffers {
  readonly #reader: ReadableStreamBYOBReader;
  #filling = new ArrayBuffer(CHUNK_BYTES);
  #draining = new ArrayBuffer(CHUNK_BYTES);

  constructor(stream: ReadableStream) {
    this.#reader = stream.getReader({ mode: "byob" });
  }

  async fill(part: WritableStream<Uint8Array>, partBytes: number): Promise<void> {
    const writer = part.getWriter();
    let writing = Promise.resolve();
    for (let left = partBytes; left > 0; ) {
      const wanted = Math.min(left, CHUNK_BYTES);
      const { value } = await this.#reader.readAtLeast(wanted, new Uint8Array(this.#filling, 0, wanted));
      if (value === undefined || value.length < wanted) throw new Error("The body was cut off");
      await writing;
      writing = writer.write(value);
      this.#filling = this.#draining;
      this.#draining = value.buffer as ArrayBuffer;
      left -= value.length;
    }
    await writing;
    await writer.close();
  }
}
