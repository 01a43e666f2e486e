import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { newId } from "../../../src/domain/ids.ts";

export interface Sent {
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly key: string | undefined;
}

export interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly code?: string;
  readonly details?: object;
  readonly retryAfter?: number;
}

/** A service that takes forms of one file, serves the stored files, and refuses files on a test's demand. */
export class FakeService implements AsyncDisposable {
  /** Stored files, in the order of their arrival. */
  readonly sent: Sent[] = [];
  /** Every request, as `POST /images/upload`. */
  readonly asked: string[] = [];
  /** The idempotency keys of requests that are no uploads. */
  readonly keys: string[] = [];
  /** User ids by key. */
  readonly accounts = new Map<string | undefined, string>();
  readonly #paths = new Set<string>();
  refuse: (request: { readonly method: string; readonly path: string; readonly name?: string }) => Refusal | undefined =
    () => undefined;
  /** A promise that is awaited before a form is answered. */
  onForm: (name: string) => Promise<void> | void = () => undefined;
  /** Answers to `GET` of other paths. */
  readonly answers = new Map<string, unknown>();
  readonly #server = createServer((request, response) => void this.#serve(request, response).catch(() => undefined));

  static async start(): Promise<FakeService> {
    const service = new FakeService();
    service.#server.listen(0, "127.0.0.1");
    await once(service.#server, "listening");
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Stops serving the files that were stored until now. */
  forgetFiles(): void {
    this.#paths.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers } = request;
    this.asked.push(`${method} ${path}`);
    const send = (status: number, body: unknown, extra: Record<string, string> = {}) =>
      void response.writeHead(status, { "Content-Type": "application/json", ...extra }).end(JSON.stringify(body));
    const refused = ({ status, error, code, details, retryAfter }: Refusal) =>
      send(
        status,
        { error, statusCode: status, ...(code && { code }), ...(details && { details }) },
        {
          ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
        },
      );
    if (method === "HEAD") return void response.writeHead(this.#paths.has(path) ? 200 : 404).end();
    if (method !== "POST" || path !== "/images/upload") {
      if (headers["idempotency-key"] !== undefined) this.keys.push(String(headers["idempotency-key"]));
      const refusal = this.refuse({ method, path });
      if (refusal !== undefined) return refused(refusal);
      const answer = this.answers.get(path);
      return answer === undefined ? refused({ status: 404, error: "Not found", code: "not_found" }) : send(200, answer);
    }
    const body = await buffer(request);
    const name = /filename="([^"]*)"/.exec(body.toString())?.[1] ?? "";
    const start = body.indexOf("\r\n\r\n", body.indexOf("filename=")) + 4;
    const file = body.subarray(start, body.lastIndexOf("\r\n--"));
    await this.onForm(name);
    const refusal = this.refuse({ method, path, name });
    if (refusal !== undefined) return refused(refusal);
    const key = headers.authorization?.replace("Bearer ", "");
    const account = this.accounts.get(key) ?? "01kb3w2qjx0000000000000000";
    const id = newId(Date.now());
    const filePath = `/uploads/${account}/${id}-${encodeURIComponent(name)}`;
    this.#paths.add(filePath);
    this.sent.push({ name, sha256: createHash("sha256").update(file).digest("hex"), sizeBytes: file.length, key });
    send(201, { _id: id, url: this.url + filePath, originalFilename: name, fileSize: file.length });
  }
}
