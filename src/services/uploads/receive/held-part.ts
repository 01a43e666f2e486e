import { ERRORS } from "../../../domain/errors.ts";
import { PART_BYTES } from "../../../domain/parts.ts";
import { largeFiles, type MemoryShare, RETRY_AFTER_SECONDS } from "./upload-memory.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** What every file may hold without a share of the budget. */
const FREE_BYTES = 64 * 1024;
const BLOCK_BYTES = 512 * 1024;
/** Blocks that are kept for the next parts: new ones would pile up until the collector comes. */
const MAX_IDLE_BLOCKS = 8;

const idleBlocks: Bytes[] = [];

/**
 * The bytes of one file up to a part, or of one part of a larger file. Its memory is taken block by block as bytes come, so
 * that a client that stops sending holds no more than what it has sent.
 */
export class HeldPart {
  readonly #memory: MemoryShare;
  readonly #maxBytes: number;
  #blocks: Bytes[] = [new Uint8Array(FREE_BYTES)];
  #capacity = FREE_BYTES;
  #length = 0;

  /** @param maxBytes what will come at most; never more than a part is held */
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

  /** The first bytes, up to half a MiB: all that have come before a second block was needed. */
  get head(): Bytes {
    return (this.#blocks[0] ?? new Uint8Array(0)).subarray(0, this.#length);
  }

  /**
   * Waits until there is room for a byte.
   * @throws ServiceError 503 if the memory does not come in time
   */
  async makeRoom(): Promise<void> {
    if (this.#length < this.#capacity) return;
    const grownBytes = this.#capacity < BLOCK_BYTES ? BLOCK_BYTES : this.#capacity + BLOCK_BYTES;
    const capacity = Math.min(grownBytes, this.#maxBytes);
    if (capacity <= this.#capacity) throw ERRORS.MalformedMultipart("The body is longer than its Content-Length");
    if (!(await this.#memory.growTo(capacity))) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    this.#addBlock(capacity);
  }

  /** Copies what there is room for. @returns how many bytes that was */
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

  /** The bytes from `start` on, block by block. */
  *pieces(start = 0): Generator<Bytes> {
    let at = 0;
    for (const block of this.#blocks) {
      const piece = block.subarray(Math.max(0, start - at), Math.max(0, this.#length - at));
      at += block.length;
      if (piece.length > 0) yield piece;
    }
  }

  /**
   * Passes all bytes in one array, which is a copy if they are more than one block.
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

  /** Gives the memory back. Blocks that R2 has certainly read may be used again. */
  release({ wasStored }: { readonly wasStored: boolean }): void {
    for (const block of wasStored ? this.#blocks : []) {
      if (block.length === BLOCK_BYTES && idleBlocks.length < MAX_IDLE_BLOCKS) idleBlocks.push(block);
    }
    this.#blocks = [];
    this.#capacity = 0;
    this.#length = 0;
    this.#memory.release();
  }

  #addBlock(capacity: number): void {
    const isFirst = this.#capacity < BLOCK_BYTES;
    const bytes = isFirst ? capacity : capacity - this.#capacity;
    const block = bytes === BLOCK_BYTES ? (idleBlocks.pop() ?? new Uint8Array(bytes)) : new Uint8Array(bytes);
    if (isFirst) {
      // The first bytes stay in one array: they say what the file is.
      block.set(this.head);
      this.#blocks = [];
    }
    this.#blocks.push(block);
    this.#capacity = capacity;
  }
}
