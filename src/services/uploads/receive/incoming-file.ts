import { ERRORS } from "../../../domain/errors.ts";
import { PART_BYTES } from "../../../domain/parts.ts";
import type { ClientBody, FileSource } from "./client-body.ts";
import { largeFiles, type MemoryShare, RETRY_AFTER_SECONDS, type UploadMemory } from "./upload-memory.ts";

/** A file of the request while it is received. */
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

  /** Whether the last byte was read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the client has declared the request's length. */
  get isSizeKnown(): boolean {
    return this.#body.isSizeKnown;
  }

  /** The most bytes that the file can still have. */
  get remainingBytes(): number {
    return this.#ended ? 0 : this.#body.remainingContentBytes + (this.#leftover?.length ?? 0);
  }

  /**
   * An empty part for the next bytes.
   * @param headBytes bytes that the caller puts into it first
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
   * Waits for more bytes of the file, and takes none.
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
   * Reads into the part until it holds `untilBytes`, is full, or the file has ended. Memory is requested only when
   * bytes are available.
   * @throws MultipartError, BodyTooLargeError; ServiceError 503 without memory
   */
  async fill(part: HeldPart, untilBytes = PART_BYTES): Promise<void> {
    while (part.length < untilBytes && (await this.more())) {
      await part.makeRoom();
      this.#moveTo(part);
    }
  }

  /**
   * Reads the rest of the file into an empty part while memory is free at once and no other request waits for memory.
   * @returns false if the part does not hold the rest
   * @throws MultipartError, BodyTooLargeError
   */
  async fillWithoutWaiting(part: HeldPart): Promise<boolean> {
    while (await this.more()) {
      if (part.isFull || this.#memory.holdsUpOthers || !(await part.tryMakeRoom(0))) return false;
      this.#moveTo(part);
    }
    return true;
  }

  /** Reads to the end and discards the bytes, so that later files are reached. */
  async skip(): Promise<void> {
    if (this.#body.skip !== undefined) return this.#body.skip();
    while (await this.more()) this.#leftover = undefined;
  }

  /** Bytes that do not fit stay valid, because nothing is read before they are taken. */
  #moveTo(part: HeldPart): void {
    if (this.#leftover === undefined) return;
    const taken = part.append(this.#leftover);
    this.#leftover = taken < this.#leftover.length ? this.#leftover.subarray(taken) : undefined;
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Many files fit into the first block. */
const FIRST_BLOCK_BYTES = 64 * 1024;
const BLOCK_BYTES = 512 * 1024;
/** Free blocks that are reused: new blocks would pile up until garbage collection. */
const MAX_IDLE_BLOCKS = 4;

const idleBlocks: Bytes[] = [];

/**
 * The bytes of a file of up to two parts, or of one part of a larger file. Memory is taken block by block as bytes
 * arrive, so that a client that stops sending holds no more than it has sent.
 */
export class HeldPart {
  readonly #memory: MemoryShare;
  #memoryOfSecond: MemoryShare | undefined;
  readonly #maxBytes: number;
  #blocks: Bytes[] = [];
  #capacity = 0;
  #length = 0;

  /** @param maxBytes the most that will arrive; at most one part is held */
  constructor(memory: MemoryShare, maxBytes: number) {
    this.#memory = memory;
    this.#maxBytes = Math.min(maxBytes, PART_BYTES);
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === PART_BYTES;
  }

  /** The first bytes, at most 512 KiB: those that precede a second block. */
  get head(): Bytes {
    return (this.#blocks[0] ?? new Uint8Array(0)).subarray(0, this.#length);
  }

  /**
   * Waits until there is room for a byte.
   * @throws ServiceError 503 if the memory is not free in time
   */
  async makeRoom(): Promise<void> {
    if (!(await this.tryMakeRoom())) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  }

  /**
   * Waits until there is room for a byte.
   * @returns false if the memory is not free in time
   */
  async tryMakeRoom(maxWaitMs?: number): Promise<boolean> {
    if (this.#length < this.#capacity) return true;
    const capacity = Math.min(sizeAfter(this.#capacity), this.#maxBytes);
    if (capacity <= this.#capacity) throw ERRORS.MalformedMultipart("The body is longer than its Content-Length");
    if (!(await this.#memory.growTo(capacity, maxWaitMs))) return false;
    this.#addBlock(capacity);
    return true;
  }

  /** Adds the bytes that follow this full part. They are released with it. */
  join(next: HeldPart): void {
    this.#memoryOfSecond = next.#memory;
    this.#length += next.#length;
    this.#blocks.push(...next.#blocks);
    next.#blocks = [];
  }

  /** Copies as many bytes as fit. @returns their number */
  append(chunk: Uint8Array): number {
    let taken = 0;
    while (taken < chunk.length && this.#length < this.#capacity) {
      const block = this.#blocks.at(-1);
      if (block === undefined) break;
      const at = block.length - (this.#capacity - this.#length);
      const piece = chunk.subarray(taken, taken + block.length - at);
      block.set(piece, at);
      taken += piece.length;
      this.#length += piece.length;
    }
    return taken;
  }

  /** The bytes from `start`, block by block. */
  *pieces(start = 0): Generator<Bytes> {
    let at = 0;
    for (const block of this.#blocks) {
      const piece = block.subarray(Math.max(0, start - at), Math.max(0, this.#length - at));
      at += block.length;
      if (piece.length > 0) yield piece;
    }
  }

  /** Some bytes, as far as they are there; a copy if they are in several blocks. @param length few, because their memory is not counted */
  read(at: number, length: number): Bytes {
    const wanted = Math.min(length, Math.max(0, this.#length - at));
    const { head } = this;
    if (at + wanted <= head.length) return head.subarray(at, at + wanted);
    const bytes = new Uint8Array(wanted);
    let filled = 0;
    for (const piece of this.pieces(at)) {
      const taken = piece.subarray(0, wanted - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      if (filled === wanted) break;
    }
    return bytes;
  }

  /**
   * Passes all bytes in one array, which is a copy if there is more than one block.
   * @returns undefined if there is no memory for the copy
   */
  withWhole<Result>(use: (bytes: Bytes) => Result): Result | undefined {
    if (this.#blocks.length <= 1) return use(this.head);
    using lease = largeFiles.tryTake(this.#length);
    if (lease === undefined) return undefined;
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.pieces()) {
      whole.set(piece, at);
      at += piece.length;
    }
    return use(whole);
  }

  /** Gives the memory back. Blocks that a store has certainly read are reused or freed at once. */
  release({ wasStored }: { readonly wasStored: boolean }): void {
    for (const block of wasStored ? this.#blocks : []) {
      if (block.length === BLOCK_BYTES && idleBlocks.length < MAX_IDLE_BLOCKS) idleBlocks.push(block);
      else block.buffer.transfer(0);
    }
    this.#blocks = [];
    this.#capacity = 0;
    this.#length = 0;
    this.#memory.release();
    this.#memoryOfSecond?.release();
  }

  #addBlock(capacity: number): void {
    const isFirst = this.#capacity < BLOCK_BYTES;
    const bytes = isFirst ? capacity : capacity - this.#capacity;
    const block = bytes === BLOCK_BYTES ? (idleBlocks.pop() ?? new Uint8Array(bytes)) : new Uint8Array(bytes);
    if (isFirst) {
      // The first bytes stay in one array, because they decide the file's type.
      block.set(this.head);
      this.#blocks = [];
    }
    this.#blocks.push(block);
    this.#capacity = capacity;
  }
}

/** The first bytes grow into one block of full size; then blocks are added. */
function sizeAfter(capacity: number): number {
  if (capacity === 0) return FIRST_BLOCK_BYTES;
  return capacity < BLOCK_BYTES ? BLOCK_BYTES : capacity + BLOCK_BYTES;
}
