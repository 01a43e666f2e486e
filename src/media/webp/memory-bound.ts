/** The engine needed more memory than it may have. */
export class EngineMemoryError extends Error {
  constructor() {
    super("The engine's memory is used up");
    this.name = "EngineMemoryError";
  }
}

/** Bounds the memory of one WebAssembly instance. Emscripten's allocator then returns null, which libwebp handles as a failure. */
export class MemoryBound {
  #maxBytes = Number.POSITIVE_INFINITY;
  #isExceeded = false;

  /** Bounds the memory that an instance exports. */
  attach({ exports }: WebAssembly.Instance): void {
    for (const memory of Object.values(exports)) {
      if (!(memory instanceof WebAssembly.Memory)) continue;
      const grow = memory.grow.bind(memory);
      memory.grow = (pages) => {
        if (memory.buffer.byteLength + pages * PAGE_BYTES <= this.#maxBytes) return grow(pages);
        this.#isExceeded = true;
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
    this.#isExceeded = false;
    let result: Result | null = null;
    try {
      result = call();
    } catch (error) {
      if (!this.#isExceeded) throw error;
    }
    if (result === null && this.#isExceeded) throw new EngineMemoryError();
    return result;
  }
}

/** A page of WebAssembly's memory. */
const PAGE_BYTES = 64 * 1024;
