import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { RangeSource } from "./range-source.ts";

const FIRST_PORTION_BYTES = 128 * 1024;
const PORTION_GROWTH = 4;
/** A portion that is fetched before its reader has the frame is read for nothing. */
const LARGEST_PORTION_BYTES = 1024 * 1024;
/** A reader often seeks after its first portion. This pause lets it do so before the next portion is fetched. */
const PAUSE_MS = 2;

interface OpenSource {
  source: RangeSource;
  /** Stops sending the latest answer. */
  latest: AbortController;
}

/**
 * A server on loopback that serves sources to ffmpeg at addresses that cannot be guessed. ffmpeg needs no network, no TLS and no
 * certificates. A hostile file, redirects included, can lead ffmpeg only to this server.
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

  /** The source's address, valid until the result is disposed. It serves one reader. */
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
      // The source keeps the reason. ffmpeg only has to see that the data ends.
      response.destroy();
    }
  }
}

/** Sends all bytes from `start` until the reader disconnects. Portions grow as it reads on. */
async function send(opened: OpenSource, start: number, response: ServerResponse): Promise<void> {
  const { source } = opened;
  const sizeBytes = await source.size();
  if (start >= sizeBytes) {
    response.writeHead(416, { "Content-Range": `bytes */${sizeBytes}` }).end();
    return;
  }
  // ffmpeg opens a new connection for a seek before it closes the old connection, which then needs no more data.
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
