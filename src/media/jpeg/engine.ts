import type { HuffmanEncoder } from "./huffman-encoder.ts";
import { JpegDeclined } from "./jpeg-declined.ts";

/** Exports of `engine/index.ts`. Addresses are in the engine's memory and valid until the next `resetHeap`. */
export interface EngineExports {
  readonly memory: WebAssembly.Memory;
  resetHeap(budgetBytes: number): void;
  /** @returns the component's address */
  addComponent(h: number, v: number, blocksPerLine: number, blockLines: number, paddedBlocksPerLine: number): number;
  setStep(component: number, k: number, ratio: number, rounding: number): void;
  /** @returns the address for the table's parts */
  addHuffmanTable(): number;
  /** @returns the scan's address */
  addScan(
    ...args: [
      start: number,
      end: number,
      isProgressive: number,
      ss: number,
      se: number,
      ah: number,
      al: number,
      mcusPerLine: number,
      restartInterval: number,
    ]
  ): number;
  addScanComponent(scan: number, component: number, dcTable: number, acTable: number): void;
  skipAcAfter(scan: number, lastK: number): void;
  /** Of a component's row only DC coefficients are kept, as `samplesOf` with a side of 1 needs them. */
  keepDcOnly(component: number): void;
  clearRow(component: number): void;
  decodeRow(scan: number, mcuRow: number): void;
  /** @returns the address for its weights and roundings */
  addConversion(): number;
  convertRow(conversion: number, first: number, second: number, third: number): void;
  basisAt(): number;
  placesAt(): number;
  /** @returns the address of the samples of a row of MCUs; a block has `side` by `side` samples */
  samplesOf(component: number, mcuRow: number, side: number): number;
  /** @returns the address of the means of a line of requantised blocks */
  storedMeansOf(component: number, line: number, step: number): number;
  /** @returns the address for the place in zigzag order of each coefficient in natural order */
  forwardPlacesAt(): number;
  /** @returns the address for the samples of a row of MCUs */
  forwardSamplesOf(component: number): number;
  forwardRow(component: number, mcuRow: number): void;
  appendRow(component: number, mcuRow: number): void;
  beginCounting(): void;
  beginWriting(): void;
  finishWriting(): void;
  frequenciesOf(table: number): number;
  codesOf(table: number): number;
  countedExtraBits(): number;
  beginDcScan(): void;
  addToDcScan(component: number, table: number): void;
  beginDcPass(): void;
  countDcRow(mcusPerLine: number, mcuRow: number): void;
  writeDcRow(mcusPerLine: number, mcuRow: number): void;
  beginAcScan(component: number, ss: number, se: number, ah: number, al: number): void;
  countAcLines(from: number, to: number): void;
  writeAcLines(from: number, to: number): void;
  endCountedAcScan(): void;
  endWrittenAcScan(): void;
}

/** The reasons in the order of `engine/host.ts`. */
const REASONS = [
  "No such Huffman code",
  "The data of a scan is cut off",
  "A DC coefficient is too large",
  "A coefficient is too large",
  "A run leaves its band",
  "A refinement adds more than a bit",
  "A restart marker is missing",
  "Too many coefficients",
];
const NOTHING = new Uint8Array();
/** The largest memory of an instance that is used again, because an instance's memory never shrinks. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

let kept: Engine | undefined;

/** The inner loops in WebAssembly, with their input and output. */
export class Engine {
  readonly #module: WebAssembly.Module;
  readonly loops: EngineExports;
  #memory = NOTHING;
  #source = NOTHING;
  #written: Uint8Array[] = [];
  #mayWrite = 0;
  #writtenBytes = 0;
  #limitReason = "";

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
    const instance = new WebAssembly.Instance(module, {
      host: {
        decline: (reason: number) => {
          throw new JpegDeclined(REASONS[reason] ?? "Damaged");
        },
        readFile: (at: number, start: number, length: number) =>
          this.memory.set(this.#source.subarray(start, start + length), at),
        writeFile: (at: number, length: number) => {
          this.#mayWrite -= length;
          if (this.#mayWrite < 0) throw new JpegDeclined(this.#limitReason);
          this.#writtenBytes += length;
          this.#written.push(this.memory.slice(at, at + length));
        },
      },
    });
    this.loops = instance.exports as unknown as EngineExports;
  }

  /**
   * Works on one picture. The instance is used again, so that a series of pictures does not leave a series of memories. An exception may
   * leave it in any state, so it is then discarded.
   */
  static async use<T>(
    module: WebAssembly.Module,
    source: Uint8Array<ArrayBuffer>,
    work: (engine: Engine) => Promise<T>,
  ): Promise<T> {
    const engine = kept !== undefined && kept.#module === module ? kept : new Engine(module);
    kept = undefined;
    engine.#source = source;
    const result = await work(engine);
    engine.#source = NOTHING;
    if (engine.memory.length <= MAX_KEPT_BYTES) kept = engine;
    return result;
  }

  /** Valid until the memory grows. */
  get memory(): Uint8Array<ArrayBuffer> {
    // A view of memory that has grown since is empty.
    if (this.#memory.length === 0) this.#memory = new Uint8Array(this.loops.memory.buffer as ArrayBuffer);
    return this.#memory;
  }

  /** The counts of 256 symbols. */
  frequencies(table: number): Uint32Array {
    return new Uint32Array(this.loops.memory.buffer, this.loops.frequenciesOf(table), 256);
  }

  /** Sets the codes to write with. */
  setCodes(table: number, { codes, lengths }: HuffmanEncoder): void {
    const target = new Uint32Array(this.loops.memory.buffer, this.loops.codesOf(table), 256);
    for (let symbol = 0; symbol < 256; symbol++) {
      target[symbol] = ((codes[symbol] as number) << 8) | (lengths[symbol] as number);
    }
  }

  /** A picture with more coded data than this is declined. */
  limitOutput(bytes: number, reason: string): void {
    this.#writtenBytes = 0;
    this.#mayWrite = bytes;
    this.#limitReason = reason;
  }

  /** Memory held for the picture: the engine's and the written result's. */
  get heldBytes(): number {
    return this.loops.memory.buffer.byteLength + this.#writtenBytes;
  }

  /** Returns the bytes written since the last call. */
  takeWritten(): Uint8Array[] {
    const written = this.#written;
    this.#written = [];
    return written;
  }
}
