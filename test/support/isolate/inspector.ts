import type { Miniflare } from "miniflare";

interface Message {
  readonly id?: number;
  readonly result: never;
  readonly method?: string;
  readonly params?: { readonly context?: { readonly id: number } };
}

/** The inspector of an idle isolate may leave a call unanswered until the next call comes. */
const ASK_AGAIN_MS = 1000;

/** The inspector of one Worker's isolate. */
export class Inspector implements Disposable {
  /** The id of the context in which the Worker runs, once `Runtime.enable` has answered. */
  contextId: number | undefined;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: never) => void>();
  #lastId = 0;
  #asking: ReturnType<typeof setInterval> | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result, method, params } = JSON.parse(String(data)) as Message;
      if (method === "Runtime.executionContextCreated") this.contextId = params?.context?.id;
      if (id === undefined) return;
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  /** @param worker its name; the Miniflare must have been started with `inspectorPort` */
  static async open(miniflare: Miniflare, worker: string): Promise<Inspector> {
    const url = new URL(`/core:user:${worker}`, await miniflare.getInspectorURL());
    const socket = new WebSocket(url.href);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve(), { once: true });
      socket.addEventListener("error", () => reject(new Error(`No inspector at ${url}`)), { once: true });
    });
    return new Inspector(socket);
  }

  /** Calls until the isolate answers, so the method may run twice. */
  async call<Result>(method: string, params: Record<string, unknown> = {}): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<Result>();
    const ask = () => this.#waiting.set(this.send(method, params), resolve);
    ask();
    this.#asking = setInterval(ask, ASK_AGAIN_MS);
    try {
      return await promise;
    } finally {
      clearInterval(this.#asking);
    }
  }

  /** @returns the number of the call, which its answer repeats */
  send(method: string, params: Record<string, unknown>): number {
    const id = ++this.#lastId;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return id;
  }

  /** A call in progress then stays unanswered. */
  [Symbol.dispose](): void {
    clearInterval(this.#asking);
    this.#socket.close();
  }
}
