import type { HuffmanEncoder } from "./huffman-encoder.ts";

const CHUNK_BYTES = 64 * 1024;
/** The most that one symbol with its bits can take, every byte stuffed. */
const SYMBOL_BYTES = 16;

/** Where a scan's symbols go: first they are counted, then, with the tables made of the counts, written. */
export interface EntropySink {
  /** @param table place of the scan's table @param extra `extraBits` bits that follow the symbol's code */
  symbol(table: number, symbol: number, extra: number, extraBits: number): void;
  bits(value: number, count: number): void;
}

/** Counts symbols, and the bits that follow them. */
export class SymbolCounter implements EntropySink {
  readonly frequencies: readonly Uint32Array[];
  extraBits = 0;

  constructor(tables: number) {
    this.frequencies = Array.from({ length: tables }, () => new Uint32Array(256));
  }

  symbol(table: number, symbol: number, _extra: number, extraBits: number): void {
    const frequencies = this.frequencies[table] as Uint32Array;
    frequencies[symbol] = (frequencies[symbol] as number) + 1;
    this.extraBits += extraBits;
  }

  bits(_value: number, count: number): void {
    this.extraBits += count;
  }
}

/** Writes entropy-coded data (T.81, F.1.2.3): most significant bit first, a zero byte stuffed after each 0xFF. */
export class BitWriter implements EntropySink {
  readonly chunks: Uint8Array[] = [];
  readonly #tables: readonly HuffmanEncoder[];
  #chunk = new Uint8Array(CHUNK_BYTES);
  #place = 0;
  #bits = 0;
  #bitCount = 0;

  constructor(tables: readonly HuffmanEncoder[]) {
    this.#tables = tables;
  }

  symbol(table: number, symbol: number, extra: number, extraBits: number): void {
    const { codes, lengths } = this.#tables[table] as HuffmanEncoder;
    this.bits(codes[symbol] as number, lengths[symbol] as number);
    if (extraBits > 0) this.bits(extra, extraBits);
  }

  /** @param count 1 to 16 */
  bits(value: number, count: number): void {
    let bitCount = this.#bitCount + count;
    // At most 7 bits are left over from before, so 23 fit well.
    this.#bits = (this.#bits << count) | (value & ((1 << count) - 1));
    if (this.#place > CHUNK_BYTES - SYMBOL_BYTES) this.#nextChunk();
    const chunk = this.#chunk;
    while (bitCount >= 8) {
      bitCount -= 8;
      const byte = (this.#bits >>> bitCount) & 255;
      chunk[this.#place++] = byte;
      if (byte === 0xff) chunk[this.#place++] = 0;
    }
    this.#bitCount = bitCount;
  }

  /** Fills the last byte up with ones. */
  finish(): readonly Uint8Array[] {
    if (this.#bitCount > 0) this.bits(0x7f, 8 - this.#bitCount);
    this.#nextChunk();
    return this.chunks;
  }

  #nextChunk(): void {
    this.chunks.push(this.#chunk.subarray(0, this.#place));
    this.#chunk = new Uint8Array(CHUNK_BYTES);
    this.#place = 0;
  }
}
