import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A file in pieces. A number stands for this many zero bytes, so that a huge file takes no memory. */
export type SourceFile = readonly (Buffer | number)[];

export interface SourceRequest {
  path: string;
  range: string | undefined;
}

type Handler = (request: IncomingMessage, response: ServerResponse, path: string) => void | Promise<void>;

/** A file server on loopback that answers ranges, as the CDN does, and records its requests. */
export class SourceServer implements AsyncDisposable {
  readonly url: string;
  readonly requests: SourceRequest[] = [];
  sentBytes = 0;
  readonly #server: Server;
  readonly #files = new Map<string, SourceFile>();
  #handler: Handler | undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<SourceServer> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new SourceServer(server);
  }

  /** @returns the file's URL */
  serve(name: string, ...file: SourceFile): string {
    this.#files.set(`/${name}`, file);
    return `${this.url}/${name}`;
  }

  /** Answers every request this way until the next `forget`. Call `answerRange` for the usual answer. */
  handle(handler: Handler): void {
    this.#handler = handler;
  }

  forget(): void {
    this.#handler = undefined;
    this.requests.length = 0;
    this.sentBytes = 0;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    this.requests.push({ path, range: request.headers.range });
    if (this.#handler === undefined) this.answerRange(request, response, path);
    else await this.#handler(request, response, path);
  }

  answerRange(request: IncomingMessage, response: ServerResponse, path: string): void {
    const file = this.#files.get(path);
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const sizeBytes = file.reduce<number>((sum, piece) => sum + lengthOf(piece), 0);
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    const start = Number(range?.[1] ?? 0);
    const end = Math.min(Number(range?.[2] ?? sizeBytes - 1), sizeBytes - 1);
    if (range === null || start >= sizeBytes) {
      response.writeHead(416, { "Content-Range": `bytes */${sizeBytes}` }).end();
      return;
    }
    const body = slice(file, start, end + 1);
    this.sentBytes += body.length;
    response.writeHead(206, { "Content-Range": `bytes ${start}-${end}/${sizeBytes}`, "Content-Length": body.length });
    response.end(body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function lengthOf(piece: Buffer | number): number {
  return typeof piece === "number" ? piece : piece.length;
}

function slice(file: SourceFile, start: number, end: number): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const piece of file) {
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, lengthOf(piece))];
    if (from < to) parts.push(typeof piece === "number" ? Buffer.alloc(to - from) : piece.subarray(from, to));
    at += lengthOf(piece);
  }
  return Buffer.concat(parts);
}
