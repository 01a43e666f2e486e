import { type CoefficientStore, leavesChunk } from "./coefficient-store.ts";
import type { EntropySink } from "./entropy-sink.ts";

/** An EOB run has at most 15 bits (T.81, table G.1), */
const MAX_EOB_RUN = 0x7fff;
/** and decoders' buffers for the correction bits of a run are as long as libjpeg's. */
const MAX_CORRECTION_BITS = 1000;
const BLOCK_CORRECTION_BITS = 63;

/** A component as scans are made of it. */
export interface CodedComponent {
  readonly h: number;
  readonly v: number;
  readonly store: CoefficientStore;
}

/** The first or only pass over the DC coefficients of some components (G.1.2.1). Table i is component i's. */
export function codeDcFirst(
  components: readonly CodedComponent[],
  mcusPerLine: number,
  mcuRows: number,
  al: number,
  sink: EntropySink,
): void {
  const predictions = new Int32Array(components.length);
  forEachDc(components, mcusPerLine, mcuRows, (place, dc) => {
    // A block that only fills an MCU up repeats the one before.
    const value = dc === undefined ? (predictions[place] as number) : dc >> al;
    const difference = value - (predictions[place] as number);
    predictions[place] = value;
    const size = bitLength(Math.abs(difference));
    sink.symbol(place, size, difference < 0 ? difference - 1 : difference, size);
  });
}

function forEachDc(
  components: readonly CodedComponent[],
  mcusPerLine: number,
  mcuRows: number,
  visit: (place: number, dc: number | undefined) => void,
): void {
  const [only, ...others] = components;
  if (only !== undefined && others.length === 0) {
    for (const dc of only.store.dc) visit(0, dc);
    return;
  }
  for (let row = 0; row < mcuRows; row++) {
    for (let mcu = 0; mcu < mcusPerLine; mcu++) {
      for (let place = 0; place < components.length; place++) {
        const { h, v, store } = components[place] as CodedComponent;
        for (let line = row * v; line < (row + 1) * v; line++) {
          for (let block = mcu * h; block < (mcu + 1) * h; block++) {
            const isReal = line < store.blockLines && block < store.blocksPerLine;
            visit(place, isReal ? store.dc[line * store.blocksPerLine + block] : undefined);
          }
        }
      }
    }
  }
}

export interface AcScan {
  readonly ss: number;
  readonly se: number;
  readonly ah: number;
  readonly al: number;
}

/** Codes a band of one component's AC coefficients (G.1.2.2, G.1.2.3). */
export class AcCoder {
  readonly #sink: EntropySink;
  readonly #corrections = new Uint8Array(MAX_CORRECTION_BITS);
  #correctionCount = 0;
  #eobRun = 0;

  constructor(sink: EntropySink) {
    this.#sink = sink;
  }

  /** @param lineStep only every so many lines, for an estimate */
  code(store: CoefficientStore, scan: AcScan, lineStep = 1): void {
    for (let line = 0; line < store.blockLines; line += lineStep) this.#codeLine(store, scan, line);
    this.#flushEobRun();
  }

  #codeLine(
    { blocksPerLine, counts, chunks, lineChunks, linePlaces }: CoefficientStore,
    scan: AcScan,
    line: number,
  ): void {
    let chunkIndex = lineChunks[line] as number;
    let place = linePlaces[line] as number;
    let chunk = chunks[chunkIndex] as Uint16Array;
    const end = (line + 1) * blocksPerLine;
    for (let block = line * blocksPerLine; block < end; block++) {
      if (leavesChunk(place)) {
        chunkIndex += 1;
        chunk = chunks[chunkIndex] as Uint16Array;
        place = 0;
      }
      const next = place + (counts[block] as number);
      if (scan.ah === 0) this.#codeFirst(chunk, place, next, scan);
      else this.#codeRefinement(chunk, place, next, scan);
      place = next;
    }
  }

  /** G.1.2.2 */
  #codeFirst(chunk: Uint16Array, from: number, to: number, { ss, se, al }: AcScan): void {
    let last = ss - 1;
    for (let at = from; at < to; at++) {
      const entry = chunk[at] as number;
      const k = entry >> 10;
      let value = (entry & 1023) - 512;
      if (value === -512) value = ((chunk[++at] as number) << 16) >> 16;
      if (k < ss) continue;
      if (k > se) break;
      const magnitude = (value < 0 ? -value : value) >> al;
      if (magnitude === 0) continue;
      if (this.#eobRun > 0) this.#flushEobRun();
      let run = k - last - 1;
      for (; run > 15; run -= 16) this.#sink.symbol(0, 0xf0, 0, 0);
      const size = bitLength(magnitude);
      this.#sink.symbol(0, (run << 4) | size, value < 0 ? ~magnitude : magnitude, size);
      last = k;
    }
    if (last < se && ++this.#eobRun === MAX_EOB_RUN) this.#flushEobRun();
  }

  /** G.1.2.3: corrections of coefficients that are there already, and those that come with this bit. */
  #codeRefinement(chunk: Uint16Array, from: number, to: number, { ss, se, al }: AcScan): void {
    const lastNew = findLastNew(chunk, from, to, ss, se, al);
    let last = ss - 1;
    let run = 0;
    /** Where this block's corrections begin in the buffer; they follow its next symbol. */
    let own = this.#correctionCount;
    for (let at = from; at < to; at++) {
      const entry = chunk[at] as number;
      const k = entry >> 10;
      let value = (entry & 1023) - 512;
      if (value === -512) value = ((chunk[++at] as number) << 16) >> 16;
      if (k < ss) continue;
      if (k > se) break;
      const magnitude = (value < 0 ? -value : value) >> al;
      if (magnitude === 0) continue;
      run += k - last - 1;
      last = k;
      while (run > 15 && k <= lastNew) {
        this.#flushEobRunBefore(own);
        this.#sink.symbol(0, 0xf0, 0, 0);
        run -= 16;
        this.#writeCorrections(0);
        own = 0;
      }
      if (magnitude > 1) {
        this.#corrections[this.#correctionCount++] = magnitude & 1;
        continue;
      }
      this.#flushEobRunBefore(own);
      this.#sink.symbol(0, (run << 4) | 1, value < 0 ? 0 : 1, 1);
      this.#writeCorrections(0);
      own = 0;
      run = 0;
    }
    if (last === se && run === 0 && this.#correctionCount === own) return;
    this.#eobRun += 1;
    if (this.#eobRun === MAX_EOB_RUN || this.#correctionCount > MAX_CORRECTION_BITS - BLOCK_CORRECTION_BITS)
      this.#flushEobRun();
  }

  /** A pending run of ended blocks goes out with its corrections, before those of the block under way. */
  #flushEobRunBefore(own: number): void {
    if (this.#eobRun === 0) return;
    this.#writeEobRun();
    const count = this.#correctionCount;
    for (let i = 0; i < own; i++) this.#sink.bits(this.#corrections[i] as number, 1);
    this.#corrections.copyWithin(0, own, count);
    this.#correctionCount = count - own;
  }

  #flushEobRun(): void {
    if (this.#eobRun === 0) return;
    this.#writeEobRun();
    this.#writeCorrections(0);
  }

  #writeEobRun(): void {
    const size = bitLength(this.#eobRun) - 1;
    this.#sink.symbol(0, size << 4, this.#eobRun, size);
    this.#eobRun = 0;
  }

  #writeCorrections(from: number): void {
    for (let i = from; i < this.#correctionCount; i++) this.#sink.bits(this.#corrections[i] as number, 1);
    this.#correctionCount = from;
  }
}

/** The last coefficient of the band whose first bit this one is; 0 where there is none. */
function findLastNew(chunk: Uint16Array, from: number, to: number, ss: number, se: number, al: number): number {
  let lastNew = 0;
  for (let at = from; at < to; at++) {
    const entry = chunk[at] as number;
    const k = entry >> 10;
    let value = (entry & 1023) - 512;
    if (value === -512) value = ((chunk[++at] as number) << 16) >> 16;
    if (k >= ss && k <= se && (value < 0 ? -value : value) >> al === 1) lastNew = k;
  }
  return lastNew;
}

/** Bits of a magnitude: 0 for 0. */
function bitLength(magnitude: number): number {
  return 32 - Math.clz32(magnitude);
}
