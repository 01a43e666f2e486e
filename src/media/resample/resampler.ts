import { lanczos, type Span } from "./filter.ts";
import type { Size, Window } from "./window.ts";

/** Exports of `engine/index.ts`. Addresses are in the engine's memory. */
interface ResamplerExports {
  readonly memory: WebAssembly.Memory;
  reset(): void;
  /** @returns the resampler's address */
  addResampler(
    channels: number,
    columns: number,
    width: number,
    height: number,
    rowTaps: number,
    columnTaps: number,
  ): number;
  rowStartsOf(resampler: number): number;
  rowWeightsOf(resampler: number): number;
  columnStartsOf(resampler: number): number;
  columnWeightsOf(resampler: number): number;
  rowOf(resampler: number): number;
  resultOf(resampler: number): number;
  addRow(resampler: number): void;
  finish(resampler: number, missing: number): void;
}

/** A picture's plane, or its pixels, while they are resized. */
export interface Resampling {
  /** Channels of a pixel: 1, or 4 for red, green, blue and alpha, which are not premultiplied. */
  readonly channels: 1 | 4;
  /** The source's whole pixels. */
  readonly columns: number;
  readonly rows: number;
  /** The part of the source that the result shows. */
  readonly across: Span;
  readonly down: Span;
  /** The result's size. */
  readonly width: number;
  readonly height: number;
}

const NOTHING = new Uint8Array();
/** The largest memory of an instance that is used again, because an instance's memory never shrinks. */
const MAX_KEPT_BYTES = 2 * 1024 * 1024;

let kept: { readonly module: WebAssembly.Module; readonly loops: ResamplerExports } | undefined;

/** The engine with the resamplers of one picture. */
export class Resamplers {
  readonly #module: WebAssembly.Module;
  readonly #loops: ResamplerExports;

  constructor(module: WebAssembly.Module) {
    this.#module = module;
    this.#loops = kept?.module === module ? kept.loops : instantiate(module);
    kept = undefined;
    this.#loops.reset();
  }

  /** Keeps a small instance for the next picture, because a new one's memory is slow. The results are no longer valid. */
  release(): void {
    if (this.heldBytes <= MAX_KEPT_BYTES) kept = { module: this.#module, loops: this.#loops };
  }

  get heldBytes(): number {
    return this.#loops.memory.buffer.byteLength;
  }

  /** Adds the resampler of a picture's pixels. */
  addPixels({ width, height }: Size, window: Window): Resampler {
    return this.add({
      channels: 4,
      columns: width,
      rows: height,
      across: { from: window.left, length: window.width },
      down: { from: window.top, length: window.height },
      ...window.result,
    });
  }

  add({ channels, columns, rows, across, down, width, height }: Resampling): Resampler {
    const loops = this.#loops;
    const horizontal = lanczos(columns, across, width, channels === 1 ? 4 : 1);
    const vertical = lanczos(rows, down, height);
    const at = loops.addResampler(channels, columns, width, height, horizontal.taps, vertical.taps);
    const { buffer } = loops.memory;
    new Int32Array(buffer, loops.rowStartsOf(at), width).set(horizontal.starts);
    new Float32Array(buffer, loops.rowWeightsOf(at), horizontal.weights.length).set(horizontal.weights);
    new Int32Array(buffer, loops.columnStartsOf(at), height).set(vertical.starts);
    new Float32Array(buffer, loops.columnWeightsOf(at), vertical.weights.length).set(vertical.weights);
    return new Resampler(loops, at, { rowBytes: columns * channels, resultBytes: width * height * channels });
  }
}

function instantiate(module: WebAssembly.Module): ResamplerExports {
  return new WebAssembly.Instance(module).exports as unknown as ResamplerExports;
}

/** Takes a source's rows one after another. */
export class Resampler {
  readonly #loops: ResamplerExports;
  readonly #at: number;
  readonly #rowBytes: number;
  readonly #resultBytes: number;
  /** The engine's row, until the memory grows. */
  #row = NOTHING;

  constructor(
    loops: ResamplerExports,
    at: number,
    { rowBytes, resultBytes }: { readonly rowBytes: number; readonly resultBytes: number },
  ) {
    this.#loops = loops;
    this.#at = at;
    this.#rowBytes = rowBytes;
    this.#resultBytes = resultBytes;
  }

  /** Adds the next source row; `samples` may be longer. */
  addRow(samples: Uint8Array): void {
    const { memory, rowOf, addRow } = this.#loops;
    if (this.#row.length === 0)
      this.#row = new Uint8Array(memory.buffer as ArrayBuffer, rowOf(this.#at), this.#rowBytes);
    this.#row.set(samples.subarray(0, this.#rowBytes));
    addRow(this.#at);
  }

  /** Returns the result, which is valid until another resampler is added. @param missing the value of samples if the source had no row */
  finish(missing: number): Uint8Array<ArrayBuffer> {
    this.#loops.finish(this.#at, missing);
    const { memory, resultOf } = this.#loops;
    return new Uint8Array(memory.buffer as ArrayBuffer, resultOf(this.#at), this.#resultBytes);
  }
}
