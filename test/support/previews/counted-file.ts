import type { PreviewSource } from "../../../src/codecs/preview/source-file.ts";

/** A stored file that notes how much of it is read, in how many ranges. */
export class CountedSource implements PreviewSource {
  readonly #file: Uint8Array;
  bytes = 0;
  ranges = 0;

  constructor(file: Uint8Array) {
    this.#file = file;
  }

  async read(start: number, length: number): Promise<ReadableStream<Uint8Array>> {
    this.bytes += length;
    this.ranges += 1;
    return new Response(this.#file.slice(start, start + length)).body as ReadableStream<Uint8Array>;
  }
}
