import { Agent, type OutgoingHttpHeaders, request } from "node:http";

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  /** The time from the call to the last byte. */
  readonly seconds: number;
}

export interface Call {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer | string;
}

/** Keep-alive connections to one server, one for each simultaneous request. */
export class Client {
  readonly #base: URL;
  readonly #agent = new Agent({ keepAlive: true });
  /** Headers of every request. */
  readonly headers: OutgoingHttpHeaders;

  constructor(base: URL, headers: OutgoingHttpHeaders = {}) {
    this.#base = base;
    this.headers = headers;
  }

  /** @throws Error for any status but `expected` */
  async call(expected: number, path: string, call: Call = {}): Promise<Answer> {
    const started = performance.now();
    const answer = await this.#send(path, call);
    const seconds = (performance.now() - started) / 1000;
    if (answer.status !== expected) {
      const { method = "GET" } = call;
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body.toString().slice(0, 300)}`);
    }
    return { ...answer, seconds };
  }

  #send(path: string, call: Call): Promise<Omit<Answer, "seconds">> {
    const { method = "GET", headers, body } = call;
    return new Promise((resolve, reject) => {
      const url = new URL(path, this.#base).href;
      const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
      const sent = request(url, { agent: this.#agent, method, headers: { ...this.headers, ...length, ...headers } });
      sent.on("error", (error: NodeJS.ErrnoException) => {
        // The server may close an idle connection in the moment of its next use.
        if (sent.reusedSocket && error.code === "ECONNRESET") resolve(this.#send(path, call));
        else reject(error);
      });
      sent.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      });
      sent.end(body);
    });
  }

  /** @returns the parsed answer */
  async callJson<T>(expected: number, method: string, path: string, token?: string, body?: unknown): Promise<T> {
    const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const answer = await this.call(expected, path, {
      method,
      headers: { ...authorization, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return JSON.parse(answer.body.toString());
  }

  close(): void {
    this.#agent.destroy();
  }
}
