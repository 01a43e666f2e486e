import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PREVIEW_PARAMETER } from "../../../src/domain/preview-token.ts";

/** The CDN's address for the media processor and the bench, known before the Workers start; counts the bytes that are read. */
export class CountingProxy implements AsyncDisposable {
  readonly url: URL;
  /** Bytes of bodies that were sent for signed reads. */
  signedBytes = 0;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  #target: URL | undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on("request", (incoming, outgoing) => this.#forward(incoming, outgoing));
  }

  static async start(): Promise<CountingProxy> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new CountingProxy(server);
  }

  /** The target of all requests from now on. */
  forwardTo(target: URL): void {
    this.#target = target;
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const url = new URL(incoming.url ?? "/", this.#target);
    const isSigned = url.searchParams.has(PREVIEW_PARAMETER);
    const { method, headers } = incoming;
    const sent = request(url.href, { method, headers: { ...headers, host: url.host }, agent: this.#agent });
    sent.on("error", () => outgoing.destroy());
    sent.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (isSigned) {
        answer.on("data", (chunk: Buffer) => {
          this.signedBytes += chunk.length;
        });
      }
      answer.pipe(outgoing);
    });
    outgoing.on("close", () => sent.destroy());
    incoming.pipe(sent);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
