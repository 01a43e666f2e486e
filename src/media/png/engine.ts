/** Exports of `engine/index.ts`. Addresses are in the engine's memory; they are invalid after `beginPicture`. */
export interface PngEngineExports {
  readonly memory: WebAssembly.Memory;
  beginPicture(colourType: number, bitDepth: number, samples: number, width: number): void;
  coloursAt(): number;
  setColourCount(count: number): void;
  addPass(...pass: [left: number, top: number, dx: number, dy: number, columns: number, rows: number]): void;
  beginReading(keepsRows: number): void;
  beginAnalysis(samples: number, sampleBytes: number): void;
  setKey(red: number, green: number, blue: number): void;
  addClear(): void;
  /** Analyses some rows' worth of bytes. @returns 1, 0 at the end, -1 if the source is damaged */
  analyseRows(bytes: number): number;
  endsWell(): number;
  readAtOnce(): void;
  /** Reads some rows for the first time. @returns like `analyseRows` */
  readPasses(rows: number): number;
  beginRgba(width: number, samples: number, sampleBytes: number): void;
  setRgbaKey(red: number, green: number, blue: number): void;
  /** @returns the address of the next row's pixels; 0 if the source is damaged */
  rgbaRow(): number;
  analysis(): number;
  foundAt(): number;
  foundColours(): number;
  pickBytes(sourceBytes: number, count: number, sampleBits: number): void;
  picksAt(): number;
  useIndices(sourceBytes: number, indexBits: number): void;
  indicesAt(): number;
  weightsAt(): number;
  beginLines(width: number, height: number, rowBytes: number, step: number): void;
  stripBytes(): number;
  addStrip(): number;
  addRawLines(bytes: number): number;
  takeEstimate(): number;
  beginDeflate(dataBytes: number, segmentBytes: number, waitingBytes: number): void;
  freeAt(): number;
  added(bytes: number): void;
  dataBytes(): number;
  segmentAt(): number;
  leaveSegment(bytes: number): void;
  checksumSegment(bytes: number): number;
  setEffort(near: number, far: number, nice: number): void;
  /** The number of comparisons of the loops since the last call. */
  takeLooks(): number;
  findMatches(start: number, stop: number, segmentBytes: number): number;
  lastLengthsAt(): number;
  costsAt(): number;
  chooseFast(from: number, to: number): number;
  chooseRoughly(from: number, to: number): number;
  chooseExactly(from: number, to: number): number;
  countTokens(from: number, to: number): void;
  countsAt(): number;
  /** Splits the first tokens into blocks. @returns their number */
  splitBlocks(size: number): number;
  bytesOfBlock(index: number): number;
  countsOfBlock(index: number): number;
  codesAt(): number;
  writeTokens(size: number): void;
  writeBits(value: number, count: number): void;
  finishBits(checksum: number): void;
}

/** Copies bytes of the source from a position. Returns their number: it fills the target unless the source ends. */
export type ReadSource = (position: number, target: Uint8Array<ArrayBuffer>) => number;

/** Precomputed n * log2(n). */
const WEIGHTS = 4096;
const weights = Float64Array.from({ length: WEIGHTS }, (_, n) => (n < 2 ? 0 : n * Math.log2(n)));

/** The inner loops in WebAssembly for one picture, with their input and output. */
export class PngEngine {
  readonly loops: PngEngineExports;
  #output: Uint8Array<ArrayBuffer>[] = [];
  #outputBytes = 0;

  /** @param readSource reads a PNG's or a GIF's image data */
  constructor(module: WebAssembly.Module, readSource: ReadSource) {
    const host = {
      takeOutput: (at: number, length: number) => {
        this.#output.push(this.bytesAt(at, length).slice());
        this.#outputBytes += length;
      },
      readSource: (position: number, at: number, size: number) => readSource(position, this.bytesAt(at, size)),
    };
    this.loops = new WebAssembly.Instance(module, { host }).exports as unknown as PngEngineExports;
    new Float64Array(this.loops.memory.buffer, this.loops.weightsAt(), WEIGHTS).set(weights);
  }

  /** Valid until the memory grows. */
  bytesAt(address: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.loops.memory.buffer as ArrayBuffer, address, length);
  }

  /** 32-bit words, valid until the memory grows. */
  wordsAt(address: number, length: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.loops.memory.buffer as ArrayBuffer, address, length);
  }

  get outputBytes(): number {
    return this.#outputBytes;
  }

  /** Returns the bytes written since the last call. */
  takeOutput(): Uint8Array<ArrayBuffer>[] {
    const output = this.#output;
    this.#output = [];
    return output;
  }
}
