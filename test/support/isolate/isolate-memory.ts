import type { Miniflare } from "miniflare";

interface HeapUsage {
  readonly usedSize: number;
  readonly totalSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

interface Message {
  readonly id?: number;
  readonly result: never;
  readonly method?: string;
  readonly params?: { readonly context?: { readonly id: number } };
}

interface RemoteObject {
  readonly objectId?: string;
  readonly value?: number;
}

/** The inspector of an idle isolate may leave a call unanswered until the next call comes. */
const ASK_AGAIN_MS = 1000;
const OBJECT_GROUP = "web-assembly";

/** The memory of one Worker's isolate, by its inspector. */
export class IsolateMemory implements Disposable {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: never) => void>();
  #lastId = 0;
  #contextId: number | undefined;
  #memoryPrototypeId: string | undefined;
  #asking: ReturnType<typeof setInterval> | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result, method, params } = JSON.parse(String(data)) as Message;
      if (method === "Runtime.executionContextCreated") this.#contextId = params?.context?.id;
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
    await memory.#call("Runtime.enable");
    const { result } = await memory.#call<{ result: RemoteObject }>("Runtime.evaluate", {
      expression: "WebAssembly.Memory.prototype",
      contextId: memory.#contextId,
    });
    memory.#memoryPrototypeId = result.objectId;
    return memory;
  }

  /** The heap, the memory of its array buffers and of WebAssembly, after a collection, in bytes. */
  async heldBytes(): Promise<number> {
    const webAssemblyBytes = await this.#webAssemblyBytes();
    return webAssemblyBytes + (await this.usedBytes());
  }

  /** The heap and the memory of its array buffers without a collection: garbage counts, as it does for the platform's limit. */
  async usedBytes(): Promise<number> {
    const { usedSize, backingStorageSize = 0 } = await this.#call<HeapUsage>("Runtime.getHeapUsage");
    return usedSize + backingStorageSize;
  }

  /** The memories of WebAssembly, which the heap usage leaves out. V8 collects garbage before it looks for them. */
  async #webAssemblyBytes(): Promise<number> {
    const { objects } = await this.#call<{ objects: RemoteObject }>("Runtime.queryObjects", {
      prototypeObjectId: this.#memoryPrototypeId,
      objectGroup: OBJECT_GROUP,
    });
    const { result: sum } = await this.#call<{ result: RemoteObject }>("Runtime.callFunctionOn", {
      objectId: objects.objectId,
      functionDeclaration: "function () { return this.reduce((sum, { buffer }) => sum + buffer.byteLength, 0); }",
      returnByValue: true,
    });
    // A reference of the inspector's would keep the memories.
    this.#send("Runtime.releaseObjectGroup", { objectGroup: OBJECT_GROUP });
    if (sum.value === undefined) throw new Error("The inspector does not know WebAssembly's memory");
    return sum.value;
  }

  /** A running measurement then ends without a result. */
  [Symbol.dispose](): void {
    clearInterval(this.#asking);
    this.#socket.close();
  }

  async #call<Result>(method: string, params: Record<string, unknown> = {}): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<Result>();
    const ask = () => this.#waiting.set(this.#send(method, params), resolve);
    ask();
    this.#asking = setInterval(ask, ASK_AGAIN_MS);
    try {
      return await promise;
    } finally {
      clearInterval(this.#asking);
    }
  }

  /** @returns the number of the call, which its answer repeats */
  #send(method: string, params: Record<string, unknown>): number {
    const id = ++this.#lastId;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return id;
  }
}
