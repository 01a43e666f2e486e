/** What `engine/index.ts` exports. Addresses are in the engine's memory; beginning to filter or to deflate moves all that is there. */
export interface PngEngineExports {
  readonly memory: WebAssembly.Memory;
  beginFilters(rowBytes: number, step: number): void;
  weightsAt(): number;
  rowAt(): number;
  chooseFilter(): number;
  filteredRowAt(): number;
  beginDeflate(dataBytes: number, segmentBytes: number, near: number, far: number, nice: number): void;
  segmentAt(): number;
  beginChecksum(): void;
  checksumSegment(bytes: number): number;
  findMatches(from: number, to: number): number;
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

/** Memory of an instance never shrinks: one that grew to more than this is not used again. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

let kept: PngEngine | undefined;

/** The inner loops in WebAssembly, with the bytes that come out of them. */
export class PngEngine {
  readonly #module: WebAssembly.Module;
  readonly loops: PngEngineExports;
  #output: Uint8Array<ArrayBuffer>[] = [];

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
    const takeOutput = (at: number, length: number) => void this.#output.push(this.bytesAt(at, length).slice());
    const instance = new WebAssembly.Instance(module, { host: { takeOutput } });
    this.loops = instance.exports as unknown as PngEngineExports;
  }

  /**
   * Works on one picture. The instance is used again, so that a row of pictures does not leave a row of memories behind; one
   * that was left by an exception may be in any state, and is thrown away.
   */
  static use<T>(module: WebAssembly.Module, work: (engine: PngEngine) => T): T {
    const engine = kept !== undefined && kept.#module === module ? kept : new PngEngine(module);
    kept = undefined;
    const result = work(engine);
    if (engine.loops.memory.buffer.byteLength <= MAX_KEPT_BYTES) kept = engine;
    return result;
  }

  /** Valid until the memory grows. */
  bytesAt(address: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.loops.memory.buffer as ArrayBuffer, address, length);
  }

  /** 32-bit words, valid until the memory grows. */
  wordsAt(address: number, length: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.loops.memory.buffer as ArrayBuffer, address, length);
  }

  /** What was written since the last call. */
  takeOutput(): Uint8Array<ArrayBuffer>[] {
    const output = this.#output;
    this.#output = [];
    return output;
  }
}
