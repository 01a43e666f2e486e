import type { Miniflare } from "miniflare";
import { Inspector } from "./inspector.ts";

interface HeapUsage {
  readonly usedSize: number;
  readonly totalSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

interface RemoteObject {
  readonly objectId?: string;
  readonly value?: number;
}

const OBJECT_GROUP = "web-assembly";

/** The memory of one Worker's isolate, by its inspector. */
export class IsolateMemory implements Disposable {
  readonly #inspector: Inspector;
  readonly #memoryPrototypeId: string | undefined;

  private constructor(inspector: Inspector, memoryPrototypeId: string | undefined) {
    this.#inspector = inspector;
    this.#memoryPrototypeId = memoryPrototypeId;
  }

  /** @param worker its name; the Miniflare must have been started with `inspectorPort` */
  static async open(miniflare: Miniflare, worker: string): Promise<IsolateMemory> {
    const inspector = await Inspector.open(miniflare, worker);
    await inspector.call("HeapProfiler.enable");
    await inspector.call("Runtime.enable");
    const { result } = await inspector.call<{ result: RemoteObject }>("Runtime.evaluate", {
      expression: "WebAssembly.Memory.prototype",
      contextId: inspector.contextId,
    });
    return new IsolateMemory(inspector, result.objectId);
  }

  /** The heap, the memory of its array buffers and of WebAssembly, after a collection, in bytes. */
  async heldBytes(): Promise<number> {
    const webAssemblyBytes = await this.#webAssemblyBytes();
    return webAssemblyBytes + (await this.usedBytes());
  }

  /** The heap and the memory of its array buffers without a collection: garbage counts, as it does for the platform's limit. */
  async usedBytes(): Promise<number> {
    const { usedSize, backingStorageSize = 0 } = await this.#inspector.call<HeapUsage>("Runtime.getHeapUsage");
    return usedSize + backingStorageSize;
  }

  /** The memories of WebAssembly, which the heap usage leaves out. V8 collects garbage before it looks for them. */
  async #webAssemblyBytes(): Promise<number> {
    const { objects } = await this.#inspector.call<{ objects: RemoteObject }>("Runtime.queryObjects", {
      prototypeObjectId: this.#memoryPrototypeId,
      objectGroup: OBJECT_GROUP,
    });
    const { result: sum } = await this.#inspector.call<{ result: RemoteObject }>("Runtime.callFunctionOn", {
      objectId: objects.objectId,
      functionDeclaration: "function () { return this.reduce((sum, { buffer }) => sum + buffer.byteLength, 0); }",
      returnByValue: true,
    });
    // A reference of the inspector's would keep the memories.
    this.#inspector.send("Runtime.releaseObjectGroup", { objectGroup: OBJECT_GROUP });
    if (sum.value === undefined) throw new Error("The inspector does not know WebAssembly's memory");
    return sum.value;
  }

  /** A running measurement then ends without a result. */
  [Symbol.dispose](): void {
    this.#inspector[Symbol.dispose]();
  }
}
