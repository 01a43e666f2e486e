import type { MultipartPart, MultipartReader } from "../../media/multipart/read-multipart.ts";
import { Pace } from "./pace.ts";
import type { PartBuffer } from "./part-buffer.ts";

/** A file of the request as R2 wants it: in parts of one size. */
export class IncomingFile {
  readonly uploadedName: string;
  readonly #part: MultipartPart;
  readonly #reader: MultipartReader;
  #leftover: Uint8Array | undefined;
  #coming: Promise<boolean> | undefined;
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

  /** Whether the client has told how long the request is. */
  get isSizeKnown(): boolean {
    return this.#reader.isSizeKnown;
  }

  /** The most that the file can still bring. */
  get remainingBytes(): number {
    return this.#ended ? 0 : this.#reader.remainingContentBytes + (this.#leftover?.length ?? 0);
  }

  /** Watches how fast its client sends, from now on. */
  watchPace(leastBytes: number, withinMs: number): Pace {
    return new Pace(this.#reader, leastBytes, withinMs);
  }

  /**
   * Waits until more of it is there, and takes nothing.
   * @returns false at its end
   * @throws MultipartError, BodyTooLargeError
   */
  more(): Promise<boolean> {
    this.#coming ??= this.#fetch().finally(() => {
      this.#coming = undefined;
    });
    return this.#coming;
  }

  /**
   * Fills the buffer up, behind what it holds: it is full then, or the file has ended.
   * @param stop fills no further once this comes
   * @throws MultipartError, BodyTooLargeError
   */
  async readMore(buffer: PartBuffer, stop?: Promise<false>): Promise<void> {
    while (!buffer.isFull) {
      const more = stop === undefined ? await this.more() : await Promise.race([this.more(), stop]);
      if (!more) return;
      this.#moveTo(buffer);
    }
  }

  /** Reads to the end and keeps nothing, so that the files behind this one are reached. */
  async skip(): Promise<void> {
    while (await this.more()) this.#leftover = undefined;
  }

  async #fetch(): Promise<boolean> {
    if (this.#leftover === undefined && !this.#ended) {
      this.#leftover = await this.#part.read();
      this.#ended = this.#leftover === undefined;
    }
    return this.#leftover !== undefined;
  }

  /** What does not fit stays valid: nothing is read before it was taken. */
  #moveTo(buffer: PartBuffer): void {
    if (this.#leftover === undefined) return;
    const taken = buffer.append(this.#leftover);
    this.#leftover = taken < this.#leftover.length ? this.#leftover.subarray(taken) : undefined;
  }
}
