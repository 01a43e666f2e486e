/** R2's least for a part of a multipart upload; every part but the last must have the same size. */
export const PART_BYTES = 5 * 1024 * 1024;

const FIRST_BYTES = 64 * 1024;

/** Gathers the bytes of one R2 part. Grows as needed, as most files are much smaller than a part. */
export class PartBuffer {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** @param capacity to begin with; the parts after a first full one will be full as well, most of them */
  constructor(capacity: number = FIRST_BYTES) {
    this.#bytes = new Uint8Array(Math.min(capacity, PART_BYTES));
  }

  /** Forgets its bytes and keeps its memory. */
  clear(): void {
    this.#length = 0;
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === PART_BYTES;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Copies what there is room for. @returns how many bytes that was */
  append(chunk: Uint8Array): number {
    const taken = chunk.subarray(0, PART_BYTES - this.#length);
    this.#grow(this.#length + taken.length);
    this.#bytes.set(taken, this.#length);
    this.#length += taken.length;
    return taken.length;
  }

  #grow(needed: number): void {
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.min(PART_BYTES, Math.max(needed, this.#bytes.length * 2)));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
