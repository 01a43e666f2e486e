import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { RangeSource } from "./range-source.ts";

const FIRST_PORTION_BYTES = 128 * 1024;
const PORTION_GROWTH = 4;
const LARGEST_PORTION_BYTES = 2 * 1024 * 1024;
/** After its first portion a reader often goes elsewhere: this long it may do so before the next one is fetched. */
const PAUSE_MS = 2;

interface OpenSource {
  source: RangeSource;
  /** Ends the sending of the latest answer. */
  latest: AbortController;
}

/**
 * What ffmpeg reads from: a server on loopback that hands out sources under addresses nobody can guess. ffmpeg itself then needs no
 * network, no TLS and no certificates, and whatever a hostile file talks it into, redirects included, it reaches only this.
 */
export class RangeProxy {
  readonly #server: Server;
  readonly #sources = new Map<string, OpenSource>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<RangeProxy> {
    const server = createServer();
    const proxy = new RangeProxy(server);
    server.on("request", (request, response) => void proxy.#answer(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return proxy;
  }

  /** The source's address, until the result is disposed. It serves one reader. */
  open(source: RangeSource): { url: string } & Disposable {
    const path = `/${randomUUID()}`;
    this.#sources.set(path, { source, latest: new AbortController() });
    const { port } = this.#server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}${path}`, [Symbol.dispose]: () => this.#sources.delete(path) };
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const opened = this.#sources.get(request.url ?? "");
    const range = /^bytes=(\d{1,15})-$/.exec(request.headers.range ?? "bytes=0-");
    if (opened === undefined || request.method !== "GET" || range === null) {
      response.writeHead(404).end();
      return;
    }
    try {
      await send(opened, Number(range[1]), response);
    } catch {
      // The source remembers why; ffmpeg only has to notice that no more will come.
      response.destroy();
    }
  }
}

/** Everything from `start` on, for as long as the reader takes it. The further it reads, the larger the portions. */
async function send(opened: OpenSource, start: number, response: ServerResponse): Promise<void> {
  const { source } = opened;
  const sizeBytes = await source.size();
  if (start >= sizeBytes) {
    response.writeHead(416, { "Content-Range": `bytes */${sizeBytes}` }).end();
    return;
  }
  // A seek opens the new connection before it closes the old one, on which nothing more is wanted.
  opened.latest.abort();
  const sending = new AbortController();
  opened.latest = sending;
  response.once("close", () => sending.abort());
  response.writeHead(206, {
    "Accept-Ranges": "bytes",
    "Content-Range": `bytes ${start}-${sizeBytes - 1}/${sizeBytes}`,
    "Content-Length": sizeBytes - start,
    Connection: "close",
  });
  const { signal } = sending;
  try {
    await sendPortions(source, start, sizeBytes, response, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function sendPortions(
  source: RangeSource,
  start: number,
  sizeBytes: number,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  let portionBytes = FIRST_PORTION_BYTES;
  let at = start;
  while (at < sizeBytes) {
    const end = Math.min(at + portionBytes, sizeBytes);
    while (at < end) {
      const bytes = await source.read(at, end - at);
      signal.throwIfAborted();
      at += bytes.length;
      if (!response.write(bytes)) await once(response, "drain", { signal });
    }
    if (portionBytes === FIRST_PORTION_BYTES) await setTimeout(PAUSE_MS, undefined, { signal });
    portionBytes = Math.min(PORTION_GROWTH * portionBytes, LARGEST_PORTION_BYTES);
  }
  response.end();
}
