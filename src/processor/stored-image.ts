import { RpcTarget } from "cloudflare:workers";
import type { PreviewSource } from "../codecs/preview/source-file.ts";

/** An image in R2, of which the Codec Worker reads the ranges that it needs. */
export class StoredImage extends RpcTarget implements PreviewSource {
  readonly #files: R2Bucket;
  readonly #key: string;
  #readBytes = 0;

  constructor(files: R2Bucket, key: string) {
    super();
    this.#files = files;
    this.#key = key;
  }

  /** @throws Error where it is gone */
  async read(start: number, length: number): Promise<ReadableStream<Uint8Array>> {
    const object = await this.#files.get(this.#key, { range: { offset: start, length } });
    if (object === null) throw new Error("The image is not there any more");
    this.#readBytes += length;
    return object.body;
  }

  /** How much of it was asked for. */
  get readBytes(): number {
    return this.#readBytes;
  }
}
