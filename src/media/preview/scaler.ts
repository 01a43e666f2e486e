/** What `engine/index.ts` exports. Addresses are in the engine's memory. */
interface ScalerExports {
  readonly memory: WebAssembly.Memory;
  reset(): void;
  /** @returns the scaler's address */
  addScaler(channels: number, sourceWidth: number, sourceHeight: number, width: number, height: number): number;
  rowOf(scaler: number): number;
  resultOf(scaler: number): number;
  addRow(scaler: number): void;
  finish(scaler: number, value: number): void;
}

export interface Plane {
  /** Of a pixel: 1, or 4 for red, green, blue and alpha, which are not premultiplied. */
  readonly channels: 1 | 4;
  /** Of the source, in its pixels; need not be whole where the last one lies partly beyond the picture's edge. */
  readonly sourceWidth: number;
  readonly sourceHeight: number;
  /** Of the result. */
  readonly width: number;
  readonly height: number;
}

/**
 * Makes pictures smaller: each pixel of the result is the mean of what it covers of the source. Rows are given one after the other,
 * so that memory is one of them and the result. For one picture.
 */
export class Scalers {
  readonly #loops: ScalerExports;

  constructor(module: WebAssembly.Module) {
    this.#loops = new WebAssembly.Instance(module).exports as unknown as ScalerExports;
    this.#loops.reset();
  }

  add({ channels, sourceWidth, sourceHeight, width, height }: Plane): Scaler {
    return new Scaler(this.#loops, this.#loops.addScaler(channels, sourceWidth, sourceHeight, width, height), {
      rowBytes: Math.ceil(sourceWidth) * channels,
      resultBytes: width * height * channels,
    });
  }
}

export class Scaler {
  readonly #loops: ScalerExports;
  readonly #address: number;
  readonly #rowBytes: number;
  readonly #resultBytes: number;

  constructor(
    loops: ScalerExports,
    address: number,
    { rowBytes, resultBytes }: { readonly rowBytes: number; readonly resultBytes: number },
  ) {
    this.#loops = loops;
    this.#address = address;
    this.#rowBytes = rowBytes;
    this.#resultBytes = resultBytes;
  }

  /** The next row of the source, and possibly more behind it. Rows behind the last are passed over. */
  addRow(samples: Uint8Array): void {
    const { memory, rowOf, addRow } = this.#loops;
    const row = new Uint8Array(memory.buffer, rowOf(this.#address), this.#rowBytes);
    row.set(samples.subarray(0, this.#rowBytes));
    addRow(this.#address);
  }

  /** The result, which is valid as long as no other scaler is added. @param missing each sample where the source has ended before */
  finish(missing: number): Uint8Array<ArrayBuffer> {
    this.#loops.finish(this.#address, missing);
    const { memory, resultOf } = this.#loops;
    return new Uint8Array(memory.buffer as ArrayBuffer, resultOf(this.#address), this.#resultBytes);
  }
}
