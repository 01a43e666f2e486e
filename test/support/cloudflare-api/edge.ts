import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  Response as MiniflareResponse,
  type V4WorkerOptions,
} from "miniflare";
import type { Binding, CloudflareAccount, Script, Version } from "./account-state.ts";
import { HOST_HEADER } from "./host-header.ts";

/** The platform's answer at an address without a Worker. */
const NOTHING_HERE = "<!DOCTYPE html><title>There is nothing here yet</title>";

/** Hop-by-hop headers, which belong to one connection. */
const FRAMING: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "transfer-encoding",
  HOST_HEADER,
]);

export interface EdgeAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * The edge of an emulated account: runs the uploaded Workers in workerd with their bindings. Their databases and buckets live as long as
 * this object. Addresses are those on workers.dev and custom domains.
 */
export class Edge implements AsyncDisposable {
  readonly #account: CloudflareAccount;
  readonly #folder: string;
  readonly #server: Server;
  /** A test's answer in place of a Worker. @returns undefined if the Worker answers */
  strike: (request: IncomingMessage, host: string) => EdgeAnswer | undefined = () => undefined;
  /** The running instance, and the versions in it. */
  #running: { readonly miniflare: Promise<Miniflare>; readonly versions: string } | undefined;

  private constructor(account: CloudflareAccount, folder: string, server: Server) {
    this.#account = account;
    this.#folder = folder;
    this.#server = server;
  }

  static async start(account: CloudflareAccount): Promise<Edge> {
    // A connection stays open when idle for longer than the usual five seconds, as Cloudflare's do.
    const server = createServer({ keepAliveTimeout: 60_000 });
    const edge = new Edge(account, await mkdtemp(join(tmpdir(), "edge-")), server);
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      edge.#serve(request, response).catch((error: Error) => response.destroy(error));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return edge;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await (await this.#running?.miniflare)?.dispose();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = String(request.headers[HOST_HEADER] ?? "");
    const script = this.#scriptAt(host);
    if (script === undefined) {
      response.writeHead(404, { "Content-Type": "text/html" }).end(NOTHING_HERE);
      return;
    }
    const struck = this.strike(request, host);
    if (struck !== undefined) {
      response.writeHead(struck.status, { "Content-Type": "application/json" }).end(struck.body);
      return;
    }
    const worker = await (await this.#start()).getWorker(script.name);
    const { method = "GET", url: path = "/" } = request;
    const hasBody = method !== "GET" && method !== "HEAD";
    // The Worker gets an https URL, as behind Cloudflare's edge.
    const answer = await worker.fetch(`https://${host}${path}`, {
      method,
      headers: headersOf(request),
      redirect: "manual",
      ...(hasBody ? { body: Readable.toWeb(request), duplex: "half" } : {}),
    });
    response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => !FRAMING.has(name))));
    if (answer.body === null) response.end();
    else Readable.fromWeb(answer.body as NodeStream).pipe(response);
  }

  #scriptAt(host: string): Script | undefined {
    const onDomain = this.#account.domains.get(host);
    if (onDomain !== undefined) return this.#account.scripts.get(onDomain);
    const suffix = `.${this.#account.subdomain}.workers.dev`;
    const script = host.endsWith(suffix) ? this.#account.scripts.get(host.slice(0, -suffix.length)) : undefined;
    return script?.isOnWorkersDev ? script : undefined;
  }

  /** Starts the deployed versions. The running instance is stopped first, because both would write to the same stores. */
  async #start(): Promise<Miniflare> {
    const scripts = [...this.#account.scripts.values()];
    const versions = scripts.map(({ deployed }) => deployed).join();
    if (this.#running?.versions === versions) return this.#running.miniflare;
    const before = this.#running?.miniflare;
    const miniflare = (async () => {
      await (await before)?.dispose();
      const fresh = new Miniflare(
        convertV4MiniflareOptions({
          cf: false,
          log: new Log(LogLevel.ERROR),
          resourcePersistencePath: this.#folder,
          workers: scripts.map((script) => this.#toWorker(script)),
        }),
      );
      await fresh.ready;
      return fresh;
    })();
    this.#running = { miniflare, versions };
    return miniflare;
  }

  #toWorker({ name }: Script): V4WorkerOptions {
    const version = this.#account.deployedVersion(name);
    const bindings = [...version.bindings.values()];
    const named = <T>(type: string, make: (binding: Binding) => T): Record<string, T> =>
      Object.fromEntries(bindings.filter((each) => each.type === type).map((each) => [each.name, make(each)]));
    const text = (field: string) => (binding: Binding) => String(binding[field]);
    return {
      name,
      modules: toModules(version),
      compatibilityDate: version.metadata.compatibility_date,
      compatibilityFlags: [...(version.metadata.compatibility_flags ?? [])],
      bindings: {
        ...named("plain_text", text("text")),
        ...named("secret_text", text("text")),
        ...named("version_metadata", () => ({ id: version.id, tag: "", timestamp: new Date().toISOString() })),
      },
      d1Databases: named("d1", text("id")),
      r2Buckets: named("r2_bucket", text("bucket_name")),
      queueProducers: named("queue", text("queue_name")),
      queueConsumers: this.#consumersOf(name),
      ratelimits: named("ratelimit", ({ namespace_id, simple }) => ({ namespace_id, simple })),
      durableObjects: named("durable_object_namespace", (binding) => ({
        className: String(binding.class_name),
        useSQLite: true,
        ...(binding.script_name === undefined ? {} : { scriptName: String(binding.script_name) }),
      })),
      serviceBindings: {
        ...named("service", ({ service, entrypoint }) => ({
          name: String(service),
          ...(entrypoint === undefined ? {} : { entrypoint: String(entrypoint) }),
        })),
        ...named("assets", () => (request: { readonly url: string }) => serveAsset(version, request.url)),
      },
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    } as V4WorkerOptions;
  }

  #consumersOf(script: string): NonNullable<V4WorkerOptions["queueConsumers"]> {
    const consumers = [...this.#account.queues.values()].flatMap((queue) =>
      queue.consumers.filter((consumer) => consumer.script === script).map((consumer) => ({ queue, consumer })),
    );
    return Object.fromEntries(
      consumers.map(({ queue, consumer: { settings, dead_letter_queue: deadLetterQueue } }) => [
        queue.name,
        {
          maxBatchSize: settings.batch_size,
          maxBatchTimeout: (settings.max_wait_time_ms ?? 0) / 1000,
          maxRetries: settings.max_retries,
          ...(deadLetterQueue === undefined ? {} : { deadLetterQueue }),
        },
      ]),
    );
  }
}

function toModules({ modules, metadata }: Version) {
  const decoder = new TextDecoder();
  // The first one is the entry.
  const sorted = [...modules].sort(
    (a, b) => Number(b.name === metadata.main_module) - Number(a.name === metadata.main_module),
  );
  return sorted.flatMap(({ name: path, type, contents }) => {
    switch (type) {
      case "application/javascript+module":
        return { type: "ESModule" as const, path, contents: decoder.decode(contents) };
      case "application/wasm":
        return { type: "CompiledWasm" as const, path, contents };
      case "text/plain":
        return { type: "Text" as const, path, contents: decoder.decode(contents) };
      case "application/source-map":
        return [];
      default:
        throw new Error(`a module of an unknown type was uploaded: ${type}`);
    }
  });
}

function serveAsset({ assets }: Version, url: string): MiniflareResponse {
  const { pathname } = new URL(url);
  const asset = assets.get(pathname) ?? assets.get(`${pathname.replace(/\/$/, "")}/index.html`);
  if (asset === undefined) return new MiniflareResponse(null, { status: 404 });
  return new MiniflareResponse(asset.contents, { headers: { "Content-Type": asset.type } });
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => value !== undefined && !FRAMING.has(name))
      .map(([name, value]) => [name, String(value)]),
  );
}
