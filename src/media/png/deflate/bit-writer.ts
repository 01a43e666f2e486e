const PART_BYTES = 64 * 1024;

/** Bits into bytes, the lowest first (RFC 1951, 3.1.1). */
export class BitWriter {
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #part = new Uint8Array(PART_BYTES);
  #size = 0;
  #pending = 0;
  #pendingBits = 0;

  /** @param bits at most 16 */
  write(value: number, bits: number): void {
    this.#pending |= value << this.#pendingBits;
    this.#pendingBits += bits;
    while (this.#pendingBits >= 8) {
      if (this.#size === PART_BYTES) this.#next();
      this.#part[this.#size++] = this.#pending;
      this.#pending >>>= 8;
      this.#pendingBits -= 8;
    }
  }

  #next(): void {
    this.#full.push(this.#part);
    this.#part = new Uint8Array(PART_BYTES);
    this.#size = 0;
  }

  /** Fills the last byte with zeros. */
  finish(): Uint8Array<ArrayBuffer>[] {
    this.write(0, -this.#pendingBits & 7);
    return [...this.#full, this.#part.subarray(0, this.#size)];
  }
}
