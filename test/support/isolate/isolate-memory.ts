import type { Miniflare } from "miniflare";

interface HeapUsage {
  readonly usedSize: number;
  readonly totalSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

/** The inspector of an isolate that is idle may leave a call unanswered until the next one comes. */
const ASK_AGAIN_MS = 1000;

/** What one Worker's isolate holds, by its inspector: what is left after a collection counts, garbage does not. */
export class IsolateMemory implements Disposable {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: HeapUsage) => void>();
  #lastId = 0;
  #asking: ReturnType<typeof setInterval> | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id?: number; result: HeapUsage };
      if (id === undefined) return;
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  /** @param worker its name; the Miniflare must have been started with `inspectorPort` */
  static async open(miniflare: Miniflare, worker: string): Promise<IsolateMemory> {
    const url = new URL(`/core:user:${worker}`, await miniflare.getInspectorURL());
    const socket = new WebSocket(url.href);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve(), { once: true });
      socket.addEventListener("error", () => reject(new Error(`No inspector at ${url}`)), { once: true });
    });
    const memory = new IsolateMemory(socket);
    await memory.#call("HeapProfiler.enable");
    return memory;
  }

  /** The heap and the memory of its array buffers, after a collection, in bytes. */
  async heldBytes(): Promise<number> {
    await this.#call("HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize = 0 } = await this.#call("Runtime.getHeapUsage");
    return usedSize + backingStorageSize;
  }

  /** A measurement that is under way ends without a result. */
  [Symbol.dispose](): void {
    clearInterval(this.#asking);
    this.#socket.close();
  }

  async #call(method: string): Promise<HeapUsage> {
    const { promise, resolve } = Promise.withResolvers<HeapUsage>();
    const ask = () => {
      const id = ++this.#lastId;
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method }));
    };
    ask();
    this.#asking = setInterval(ask, ASK_AGAIN_MS);
    try {
      return await promise;
    } finally {
      clearInterval(this.#asking);
    }
  }
}
