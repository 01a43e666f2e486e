/** R2's least for a part of a multipart upload; every part but the last must have the same size. */
export const PART_BYTES = 5 * 1024 * 1024;

const FIRST_BYTES = 64 * 1024;

/** Gathers the bytes of one R2 part, or of a whole image. Grows as needed, as most files are much smaller than a part. */
export class PartBuffer {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  #limit: number;

  /**
   * @param limit what it holds at most
   * @param memory to begin with
   */
  constructor(limit = PART_BYTES, memory = new Uint8Array(FIRST_BYTES)) {
    this.#limit = limit;
    this.#bytes = memory;
  }

  /** Gives its memory away, and forgets its bytes: whoever still knows the buffer keeps no memory with it. */
  takeMemory(): Uint8Array<ArrayBuffer> {
    const memory = this.#bytes;
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
    return memory;
  }

  /** Forgets its bytes and keeps its memory. */
  clear(): void {
    this.#length = 0;
  }

  /**
   * Makes room for more.
   * @param atMost what will come, if that is known: memory for all of it is taken at once, as growing leaves garbage behind
   */
  raiseLimit(bytes: number, atMost = Number.POSITIVE_INFINITY): void {
    this.#limit = bytes;
    if (this.#length + atMost <= bytes) this.#moveTo(this.#length + atMost);
  }

  /** Whether it is one of R2's parts, rather than a file gathered for longer. */
  get isPart(): boolean {
    return this.#limit === PART_BYTES;
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.#limit;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Its bytes as R2's parts. */
  *parts(): Generator<Uint8Array<ArrayBuffer>> {
    for (let at = 0; at < this.#length; at += PART_BYTES) {
      yield this.#bytes.subarray(at, Math.min(at + PART_BYTES, this.#length));
    }
  }

  /** Copies what there is room for. @returns how many bytes that was */
  append(chunk: Uint8Array): number {
    const taken = chunk.subarray(0, this.#limit - this.#length);
    this.#grow(this.#length + taken.length);
    this.#bytes.set(taken, this.#length);
    this.#length += taken.length;
    return taken.length;
  }

  /** Doubles as long as it is small; then by a part, as the memory of both halves is needed while they are copied. */
  #grow(needed: number): void {
    const capacity = this.#bytes.length;
    if (needed <= capacity) return;
    this.#moveTo(Math.min(this.#limit, Math.max(needed, capacity + Math.min(capacity, PART_BYTES))));
  }

  #moveTo(capacity: number): void {
    const moved = new Uint8Array(capacity);
    moved.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = moved;
  }
}
