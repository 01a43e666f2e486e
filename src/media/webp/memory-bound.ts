/** The engine needed more memory than it may have. */
export class EngineMemoryError extends Error {
  constructor() {
    super("The engine's memory is used up");
    this.name = "EngineMemoryError";
  }
}

/** Bounds the memory of one WebAssembly instance of Emscripten. */
export class MemoryBound {
  #maxBytes = Number.POSITIVE_INFINITY;
  #refusals = 0;

  /**
   * Ends a call that is refused memory again and again. libwebp's lossless encoder survives some refusals, but may ask millions of times
   * for the next block: 2 megapixels of noise took 48 seconds until they failed.
   */
  guard(imports: WebAssembly.Imports): WebAssembly.Imports {
    const guarded = (value: WebAssembly.ImportValue) => (typeof value === "function" ? this.#guarded(value) : value);
    return mapValues(imports, (functions) => mapValues(functions, guarded));
  }

  #guarded(call: CallableFunction): CallableFunction {
    return (...args: unknown[]) => {
      const result = call(...args);
      if (this.#refusals > MAX_REFUSALS) throw new EngineMemoryError();
      return result;
    };
  }

  /** Bounds the memory that an instance exports. Emscripten's allocator then returns null, which libwebp handles as a failure. */
  attach({ exports }: WebAssembly.Instance): void {
    for (const memory of Object.values(exports)) {
      if (!(memory instanceof WebAssembly.Memory)) continue;
      const grow = memory.grow.bind(memory);
      memory.grow = (pages) => {
        if (memory.buffer.byteLength + pages * PAGE_BYTES <= this.#maxBytes) return grow(pages);
        this.#refusals++;
        throw new RangeError("The memory's bound");
      };
    }
  }

  /**
   * Makes one call to the instance.
   * @param maxBytes of the instance's memory; a smaller size than it already has forbids growth
   * @throws EngineMemoryError if the call fails after a growth was refused
   */
  call<Result>(maxBytes: number, call: () => Result | null): Result | null {
    this.#maxBytes = maxBytes;
    this.#refusals = 0;
    let result: Result | null = null;
    try {
      result = call();
    } catch (error) {
      if (this.#refusals === 0) throw error;
    }
    if (result === null && this.#refusals > 0) throw new EngineMemoryError();
    return result;
  }
}

function mapValues<From, To>(values: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

/** Encoders that succeeded after refusals had at most twelve. */
const MAX_REFUSALS = 100;

/** A page of WebAssembly's memory. */
const PAGE_BYTES = 64 * 1024;
