import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The fate of a request. `cut`: its connection breaks in the middle of the body. `lose`: the request is carried out, and its answer is
 * lost.
 */
export type Fate =
  | "answer"
  | "lose"
  | { readonly cutAtByte: number }
  | { readonly status: number; readonly retryAfter?: number };

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly at: number;
  readonly headers: IncomingMessage["headers"];
}

interface Upload {
  /** NaN until the length is known. */
  length: number;
  readonly metadata: Record<string, string>;
  bytes: Buffer;
}

/** A service with the uploads that the client uses: tus 1.0.0 and forms with an `Idempotency-Key`, and connections that break. */
export class TusServer implements AsyncDisposable {
  readonly asked: Asked[] = [];
  /** Forms that were stored, by their keys. */
  readonly forms = new Map<string, Buffer>();
  readonly uploads = new Map<string, Upload>();
  fate: (asked: Asked, count: number) => Fate = () => "answer";
  /** Pages and scripts that the service serves, too. */
  readonly files = new Map<string, { readonly type: string; readonly content: string }>();
  readonly #server = createServer((request, response) => void this.#serve(request, response).catch(() => undefined));

  static async start(): Promise<TusServer> {
    const server = new TusServer();
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  count(method: string): number {
    return this.asked.filter((asked) => asked.method === method).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers } = request;
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Expose-Headers", "Retry-After, Location, Upload-Offset");
    const file = this.files.get(path);
    if (file !== undefined) return void response.writeHead(200, { "Content-Type": file.type }).end(file.content);
    if (method === "OPTIONS") {
      response.setHeader("Access-Control-Allow-Methods", "*");
      response.setHeader("Access-Control-Allow-Headers", headers["access-control-request-headers"] ?? "*");
      return void response.writeHead(204).end();
    }
    const asked = { method, path, at: Date.now(), headers };
    this.asked.push(asked);
    const fate = this.fate(asked, this.asked.length);
    if (typeof fate === "object" && "status" in fate) {
      request.resume();
      const retry = fate.retryAfter === undefined ? {} : { "Retry-After": String(fate.retryAfter) };
      return void response
        .writeHead(fate.status, retry)
        .end(JSON.stringify({ error: "refused", statusCode: fate.status }));
    }
    const cutAt = typeof fate === "object" ? fate.cutAtByte : Number.POSITIVE_INFINITY;
    const [status, answer, body] = await this.#handle(request, cutAt);
    if (fate !== "answer") return void request.socket.destroy();
    response.writeHead(status, answer).end(method === "HEAD" ? undefined : body);
  }

  async #handle(request: IncomingMessage, cutAt: number): Promise<[number, Record<string, string>, string?]> {
    const { method, url: path = "", headers } = request;
    const upload = this.uploads.get(path);
    if (method === "POST" && headers["tus-resumable"] !== undefined) {
      const location = `/images/upload/${this.uploads.size + 1}`;
      const metadata = Object.fromEntries(
        (headers["upload-metadata"] as string).split(",").map((pair) => {
          const [key = "", value = ""] = pair.split(" ");
          return [key, Buffer.from(value, "base64").toString()];
        }),
      );
      this.uploads.set(location, {
        length: Number(headers["upload-length"] ?? Number.NaN),
        metadata,
        bytes: Buffer.alloc(0),
      });
      return [201, { Location: location }];
    }
    if (method === "POST") {
      const body = await this.#read(request, cutAt);
      const key = String(headers["idempotency-key"]);
      if (!this.forms.has(key) && body.length === Number(headers["content-length"])) this.forms.set(key, body);
      return [201, {}, JSON.stringify({ url: `${this.url}/form`, _id: key })];
    }
    if (upload === undefined) return [404, {}, "{}"];
    const offset = { "Upload-Offset": String(upload.bytes.length) };
    if (method === "HEAD") return [200, offset];
    if (method === "DELETE") {
      this.uploads.delete(path);
      return [204, {}];
    }
    if (method === "PATCH") {
      if (headers["upload-offset"] !== offset["Upload-Offset"]) return [409, offset, "{}"];
      upload.length = Number(headers["upload-length"] ?? upload.length);
      const before = upload.bytes;
      upload.bytes = Buffer.concat([before, await this.#read(request, cutAt)]);
    }
    const isDone = upload.bytes.length === upload.length;
    if (!isDone && method === "PATCH") return [204, { "Upload-Offset": String(upload.bytes.length) }];
    return [200, {}, JSON.stringify(isDone ? { url: this.url + path, _id: path } : { state: "receiving" })];
  }

  /** The received part of the body, until its connection broke. */
  async #read(request: IncomingMessage, cutAt: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let readBytes = 0;
    request.on("error", () => undefined);
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      pieces.push((piece as Buffer).subarray(0, cutAt - readBytes));
      readBytes += (piece as Buffer).length;
      if (readBytes >= cutAt) break;
    }
    return Buffer.concat(pieces);
  }
}
