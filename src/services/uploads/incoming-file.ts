import type { MultipartPart, MultipartReader } from "../../media/multipart/read-multipart.ts";
import { PartBuffer } from "./part-buffer.ts";

/** A file of the request as R2 wants it: in parts of one size. */
export class IncomingFile {
  readonly uploadedName: string;
  readonly #part: MultipartPart;
  readonly #reader: MultipartReader;
  #leftover: Uint8Array | undefined;
  #ended = false;

  constructor(part: MultipartPart, uploadedName: string, reader: MultipartReader) {
    this.#part = part;
    this.uploadedName = uploadedName;
    this.#reader = reader;
  }

  /** True once the last byte was read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The most that the file can still bring. */
  get remainingBytes(): number {
    return this.#ended ? 0 : this.#reader.remainingContentBytes + (this.#leftover?.length ?? 0);
  }

  /**
   * The next part: full, unless it is the file's last (which may be empty).
   * @param buffer to fill, from its beginning
   * @throws MultipartError, BodyTooLargeError
   */
  async readPart(buffer: PartBuffer = new PartBuffer()): Promise<PartBuffer> {
    buffer.clear();
    await this.readMore(buffer);
    return buffer;
  }

  /**
   * Fills the buffer up, behind what it holds.
   * @throws MultipartError, BodyTooLargeError
   */
  async readMore(buffer: PartBuffer): Promise<void> {
    // What did not fit before is still valid: nothing was read since.
    this.#take(buffer, this.#leftover);
    while (!buffer.isFull && !this.#ended) this.#take(buffer, await this.#read());
  }

  /** Reads to the end and keeps nothing, so that the files behind this one are reached. */
  async skip(): Promise<void> {
    while (!this.#ended) await this.#read();
  }

  async #read(): Promise<Uint8Array | undefined> {
    const chunk = await this.#part.read();
    this.#ended = chunk === undefined;
    return chunk;
  }

  #take(buffer: PartBuffer, chunk: Uint8Array | undefined): void {
    if (chunk === undefined) return;
    const taken = buffer.append(chunk);
    this.#leftover = taken < chunk.length ? chunk.subarray(taken) : undefined;
  }
}
