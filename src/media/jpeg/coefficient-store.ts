import { JpegDeclined } from "./jpeg-declined.ts";

const CHUNK_ENTRIES = 32 * 1024;
/** A block's most: 63 coefficients, each with an escape. A block never lies in two chunks. */
const MAX_BLOCK_ENTRIES = 126;
/** Values from here on do not fit an entry's ten bits: the entry holds 0, and the value follows. */
const SMALL_LIMIT = 512;

/**
 * The requantised coefficients of one component, of which most are zero: DC and number of entries for each block, and two
 * bytes for each AC coefficient that is not (`k << 10 | value + 512`, k in zigzag order).
 */
export class CoefficientStore {
  readonly blocksPerLine: number;
  readonly blockLines: number;
  readonly dc: Int16Array;
  /** Entries of a block's AC coefficients, escapes included. */
  readonly counts: Uint8Array;
  readonly chunks: Uint16Array[] = [];
  /** Where each line of blocks begins: chunk and place in it. */
  readonly lineChunks: Uint32Array;
  readonly linePlaces: Uint32Array;
  readonly #budget: StoreBudget;
  #chunk: Uint16Array;
  #place = 0;
  #block = 0;

  constructor(blocksPerLine: number, blockLines: number, budget: StoreBudget) {
    this.blocksPerLine = blocksPerLine;
    this.blockLines = blockLines;
    this.#budget = budget;
    budget.take(blocksPerLine * blockLines * 3 + blockLines * 8);
    this.dc = new Int16Array(blocksPerLine * blockLines);
    this.counts = new Uint8Array(blocksPerLine * blockLines);
    this.lineChunks = new Uint32Array(blockLines);
    this.linePlaces = new Uint32Array(blockLines);
    this.#chunk = this.#addChunk();
  }

  /**
   * Appends one line of blocks, requantised on the way.
   * @param coefficients blocks of 64 in zigzag order
   * @param at the line's first coefficient
   * @param ratios source step / target step, by k
   * @param roundings what is added to an AC magnitude before it is cut off, by k
   * @throws JpegDeclined where the store is full
   */
  appendLine(coefficients: Int16Array, at: number, ratios: Float64Array, roundings: Float64Array): void {
    const line = this.#block / this.blocksPerLine;
    const { dc, counts } = this;
    const dcRatio = ratios[0] ?? 1;
    for (let i = 0; i < this.blocksPerLine; i++, at += 64) {
      if (this.#place > CHUNK_ENTRIES - MAX_BLOCK_ENTRIES) this.#chunk = this.#addChunk();
      if (i === 0) {
        this.lineChunks[line] = this.chunks.length - 1;
        this.linePlaces[line] = this.#place;
      }
      const chunk = this.#chunk;
      const first = this.#place;
      let place = first;
      for (let k = 1; k < 64; k++) {
        const source = coefficients[at + k] as number;
        if (source === 0) continue;
        const magnitude = ((source < 0 ? -source : source) * (ratios[k] as number) + (roundings[k] as number)) | 0;
        if (magnitude === 0) continue;
        const value = source < 0 ? -magnitude : magnitude;
        if (magnitude < SMALL_LIMIT) {
          chunk[place++] = (k << 10) | (value + SMALL_LIMIT);
        } else {
          chunk[place++] = k << 10;
          chunk[place++] = value & 0xffff;
        }
      }
      const sourceDc = coefficients[at] as number;
      dc[this.#block] = Math.sign(sourceDc) * Math.floor(Math.abs(sourceDc) * dcRatio + 0.4999999);
      counts[this.#block] = place - first;
      this.#place = place;
      this.#block += 1;
    }
  }

  #addChunk(): Uint16Array {
    this.#budget.take(CHUNK_ENTRIES * 2);
    const chunk = new Uint16Array(CHUNK_ENTRIES);
    this.chunks.push(chunk);
    this.#place = 0;
    return chunk;
  }
}

/** The bytes that all stores of a picture may take together. */
export class StoreBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** @throws JpegDeclined where it is spent */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new JpegDeclined("Too many coefficients");
  }
}

/** Whether a block with this place in its chunk begins in the next one: the rule that `appendLine` follows. */
export function leavesChunk(place: number): boolean {
  return place > CHUNK_ENTRIES - MAX_BLOCK_ENTRIES;
}
