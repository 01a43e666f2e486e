import { Readable } from "node:stream";
import { createInflate, type Inflate } from "node:zlib";
import { CannotCompress } from "../cannot-compress.ts";

/** The content of a zlib stream, taken in portions of any size. */
export class InflatedBytes {
  readonly #inflate: Inflate;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(deflated: readonly Buffer[]) {
    this.#inflate = Readable.from(deflated).pipe(createInflate({ chunkSize: 256 * 1024 }));
    this.#chunks = this.#inflate[Symbol.asyncIterator]();
  }

  /** @throws CannotCompress where the stream is damaged or ends before the target is full */
  async fill(target: Uint8Array): Promise<void> {
    let filled = 0;
    while (filled < target.length) {
      if (this.#rest.length === 0) await this.#next();
      const part = this.#rest.subarray(0, target.length - filled);
      target.set(part, filled);
      filled += part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
  }

  async #next(): Promise<void> {
    const chunk = await this.#chunks.next().catch((error: Error & { code?: string }) => {
      if (error.code?.startsWith("Z_")) throw new CannotCompress("damaged image data");
      throw error;
    });
    if (chunk.done) throw new CannotCompress("the image data ends early");
    this.#rest = chunk.value;
  }

  close(): void {
    this.#inflate.destroy();
  }
}
