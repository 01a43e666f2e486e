/** What `engine/index.ts` exports. Addresses are in the engine's memory; beginning a picture moves all that is there. */
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
  /** Some rows' worth of bytes. @returns 1, 0 where nothing is left, -1 where the source is damaged */
  analyseRows(bytes: number): number;
  endsWell(): number;
  readAtOnce(): void;
  /** Some rows of the first reading. @returns as analyseRows */
  readPasses(rows: number): number;
  beginRgba(width: number, samples: number, sampleBytes: number): void;
  setRgbaKey(red: number, green: number, blue: number): void;
  /** @returns where the next row's pixels are; 0 where the source is damaged */
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
  /** How often loops have looked at something since this was last asked. */
  takeLooks(): number;
  findMatches(start: number, stop: number, segmentBytes: number): number;
  lastLengthsAt(): number;
  costsAt(): number;
  chooseRoughly(from: number, to: number): number;
  chooseExactly(from: number, to: number): number;
  countTokens(from: number, to: number): void;
  countsAt(): number;
  bytesOfTokens(from: number, to: number): number;
  codesAt(): number;
  writeTokens(size: number): void;
  writeBits(value: number, count: number): void;
  finishBits(checksum: number): void;
}

/** Copies bytes of the source from a position on. Returns how many: fewer than there is room for at its end only. */
export type ReadSource = (position: number, target: Uint8Array<ArrayBuffer>) => number;

/** Of n * log2(n). */
const WEIGHTS = 4096;
const weights = Float64Array.from({ length: WEIGHTS }, (_, n) => (n < 2 ? 0 : n * Math.log2(n)));

/** The inner loops in WebAssembly, with the bytes that go in and come out of them. For one picture. */
export class PngEngine {
  readonly loops: PngEngineExports;
  #output: Uint8Array<ArrayBuffer>[] = [];
  #outputBytes = 0;

  /** @param readSource what a PNG's image data or a GIF's is read by */
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

  /** How much was written so far. */
  get outputBytes(): number {
    return this.#outputBytes;
  }

  /** What was written. */
  takeOutput(): Uint8Array<ArrayBuffer>[] {
    const output = this.#output;
    this.#output = [];
    return output;
  }
}
