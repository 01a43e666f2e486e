import { PART_BYTES } from "../../../domain/parts.ts";
import type { ClientBody, FileSource } from "./client-body.ts";
import { HeldPart } from "./held-part.ts";
import type { UploadMemory } from "./upload-memory.ts";

/** A file of the request as it comes in. */
export class IncomingFile {
  readonly uploadedName: string;
  readonly #source: FileSource;
  readonly #body: ClientBody;
  readonly #memory: UploadMemory;
  #leftover: Uint8Array | undefined;
  #ended = false;
  #part: HeldPart | undefined;

  constructor(
    uploadedName: string,
    source: FileSource,
    { body, memory }: { readonly body: ClientBody; readonly memory: UploadMemory },
  ) {
    this.uploadedName = uploadedName;
    this.#source = source;
    this.#body = body;
    this.#memory = memory;
  }

  /** True once the last byte was read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the client has said how long the request is. */
  get isSizeKnown(): boolean {
    return this.#body.isSizeKnown;
  }

  /** The most that the file can still bring. */
  get remainingBytes(): number {
    return this.#ended ? 0 : this.#body.remainingContentBytes + (this.#leftover?.length ?? 0);
  }

  /**
   * An empty part for the bytes that come next.
   * @param headBytes what it will hold before them, from elsewhere
   */
  openPart(headBytes = 0): HeldPart {
    const maxBytes = Math.min(PART_BYTES, headBytes + this.remainingBytes);
    this.#part = new HeldPart(this.#memory.open(maxBytes, this.isSizeKnown), maxBytes);
    return this.#part;
  }

  /** The part that was opened last. */
  get part(): HeldPart | undefined {
    return this.#part;
  }

  /**
   * Waits until more of the file is there, and takes nothing.
   * @returns false at its end
   * @throws MultipartError, BodyTooLargeError
   */
  async more(): Promise<boolean> {
    if (this.#leftover === undefined && !this.#ended) {
      this.#leftover = await this.#source.read();
      this.#ended = this.#leftover === undefined;
    }
    return this.#leftover !== undefined;
  }

  /**
   * Reads into the part until it holds `untilBytes`, is full, or the file has ended. Memory is asked for only when bytes are
   * there to be put into it.
   * @throws MultipartError, BodyTooLargeError; ServiceError 503 if there is no memory
   */
  async fill(part: HeldPart, untilBytes = PART_BYTES): Promise<void> {
    while (part.length < untilBytes && (await this.more())) {
      await part.makeRoom();
      this.#moveTo(part);
    }
  }

  /** Reads to the end and keeps nothing, so that the files behind this one are reached. */
  async skip(): Promise<void> {
    while (await this.more()) this.#leftover = undefined;
  }

  /** Bytes that do not fit stay valid, as nothing is read before they were taken. */
  #moveTo(part: HeldPart): void {
    if (this.#leftover === undefined) return;
    const taken = part.append(this.#leftover);
    this.#leftover = taken < this.#leftover.length ? this.#leftover.subarray(taken) : undefined;
  }
}
