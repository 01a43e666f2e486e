import { once } from "node:events";
import { constants, createDeflate, type Deflate } from "node:zlib";
import { FilterChooser } from "./filter-chooser.ts";
import { NONE } from "./filters.ts";

const BATCH_BYTES = 256 * 1024;

/** Deflates rows as they come; its output is abandoned as soon as it outgrows the limit. */
class Candidate {
  readonly #deflate: Deflate;
  readonly #ended: Promise<unknown>;
  readonly #maxBytes: number;
  #output: Buffer[] = [];
  #batch = Buffer.allocUnsafe(BATCH_BYTES);
  #fill = 0;
  sizeBytes = 0;

  constructor(strategy: number, maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#deflate = createDeflate({
      strategy,
      level: constants.Z_BEST_COMPRESSION,
      memLevel: 9,
      chunkSize: 64 * 1024,
      writableHighWaterMark: 2 * BATCH_BYTES,
    });
    this.#deflate.on("data", (data: Buffer) => this.#take(data));
    this.#ended = once(this.#deflate, "end");
    // A failure shows where the end is awaited; until then it is nobody's unhandled rejection.
    this.#ended.catch(() => undefined);
  }

  get isOut(): boolean {
    return this.sizeBytes > this.#maxBytes;
  }

  #take(data: Buffer): void {
    this.sizeBytes += data.length;
    if (this.isOut) this.#output = [];
    else this.#output.push(data);
  }

  /** Resolves when more may be written. */
  async write(filter: number, row: Uint8Array): Promise<void> {
    if (this.isOut) return;
    if (this.#fill + 1 + row.length > this.#batch.length) await this.#flush(1 + row.length);
    this.#batch[this.#fill] = filter;
    this.#batch.set(row, this.#fill + 1);
    this.#fill += 1 + row.length;
  }

  async #flush(nextBytes: number): Promise<void> {
    const mayGoOn = this.#deflate.write(this.#batch.subarray(0, this.#fill));
    this.#batch = Buffer.allocUnsafe(Math.max(BATCH_BYTES, nextBytes));
    this.#fill = 0;
    if (!mayGoOn) await once(this.#deflate, "drain");
  }

  async finish(): Promise<Buffer[]> {
    if (this.isOut) this.#deflate.destroy();
    else {
      this.#deflate.end(this.#batch.subarray(0, this.#fill));
      await this.#ended;
    }
    return this.#output;
  }
}

/**
 * The image data of a PNG, written in several ways at once. The smallest wins, as none wins always: flat graphics deflate best
 * unfiltered, photographs filtered row by row, and noisy ones without any search for repetitions.
 */
export class ImageData {
  readonly #plain: Candidate;
  readonly #filtered: readonly Candidate[];
  readonly #chooser: FilterChooser;

  /**
   * @param bitsPerPixel of the rows that follow
   * @param maxBytes where the result is larger than this, it is of no use
   */
  constructor(bitsPerPixel: number, maxBytes: number) {
    this.#chooser = new FilterChooser(Math.max(1, bitsPerPixel >> 3));
    this.#plain = new Candidate(constants.Z_DEFAULT_STRATEGY, maxBytes);
    this.#filtered = [constants.Z_FILTERED, constants.Z_RLE].map((strategy) => new Candidate(strategy, maxBytes));
  }

  /** @param previous the row above in the same pass; zeros for its first row */
  async writeRow(row: Uint8Array, previous: Uint8Array): Promise<void> {
    await this.#plain.write(NONE, row);
    if (this.#filtered.every((candidate) => candidate.isOut)) return;
    const { filter, filtered } = this.#chooser.choose(row, previous);
    for (const candidate of this.#filtered) await candidate.write(filter, filtered);
  }

  /** @returns the smallest one, undefined when all outgrew the limit */
  async finish(): Promise<Buffer[] | undefined> {
    const candidates = [this.#plain, ...this.#filtered];
    const outputs = await Promise.all(candidates.map((candidate) => candidate.finish()));
    const smallest = candidates.reduce((best, next) => (next.sizeBytes < best.sizeBytes ? next : best));
    return smallest.isOut ? undefined : outputs[candidates.indexOf(smallest)];
  }
}
