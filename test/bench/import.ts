import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { IsolateMemory } from "../support/isolate/isolate-memory.ts";
import { mp4, png } from "../support/media/samples.ts";
import { type Stack, startApi } from "../support/stack/miniflare.ts";
import { openBusinessAccount } from "./support/account.ts";
import type { Client } from "./support/client.ts";
import { reportFigure, reportRatio, reportTarget, type Target } from "./support/report.ts";
import { measureInTurn, tasksPerSecond } from "./support/rounds.ts";

const MIB = 1024 * 1024;
/** Uploads of one account have a limit a minute, so that each measurement has an account of its own. */
const FILES = 300;
const FILE_BYTES = 4096;
const ROUNDS = 3;
/** Miniflare delivers one batch at a time, with four messages (wrangler.toml): four items are fetched at a time. */
const CONCURRENCY = 4;
const LOOK_EVERY_MS = 50;
/** Each look at the heap stops the isolate. */
const HELD_EVERY_MS = 1000;
const SETTLE_MS = 1000;
/** The sources are on this machine. */
const VARS = { WEBHOOK_ALLOW_PRIVATE: "true" };

/** Small files from sources on this machine against uploads of the same files, and the memory that 1 GB takes. */
export async function benchImport(): Promise<Target[]> {
  return [await benchSmall(), await benchLarge()];
}

class Source implements AsyncDisposable {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(listener: RequestListener): Promise<Source> {
    const server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Source(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function benchSmall(): Promise<Target> {
  console.log(`import: ${FILES} files of ${FILE_BYTES} bytes, against uploads of the same files (files a second)`);
  const file = Buffer.from(png(1, 1, FILE_BYTES));
  const serve: RequestListener = (_, response) => response.writeHead(200, { "Content-Length": file.length }).end(file);
  await using source = await Source.start(serve);
  await using stack = await startApi(VARS, { isQuiet: true });
  let accounts = 0;
  const withAccount = async (measure: (client: Client) => Promise<number>) => {
    const { client } = await openBusinessAccount(stack.url, `bench${accounts++}@example.com`);
    try {
      return await measure(client);
    } finally {
      client.close();
    }
  };
  const urls = Array.from({ length: FILES }, (_, number) => `${source.url}/${number}.png`);
  const pairs = await measureInTurn(ROUNDS, {
    product: () => withAccount(async (client) => FILES / (await importAll(client, urls))),
    bare: () =>
      withAccount((client) =>
        tasksPerSecond(FILES, CONCURRENCY, (number) =>
          client.call(201, `/images/upload?filename=${number}.png`, { method: "POST", body: file }),
        ),
      ),
  });
  return reportRatio("files/s", pairs, { atLeast: 0.75 });
}

/** @returns the seconds until each item was stored */
async function importAll(client: Client, urls: readonly string[]): Promise<number> {
  const started = performance.now();
  const body = JSON.stringify({ items: urls.map((url) => ({ url })) });
  const headers = { "Content-Type": "application/json" };
  const answer = await client.call(202, "/images/import", { method: "POST", headers, body });
  const { _id } = JSON.parse(answer.body.toString());
  for (;;) {
    const shown = await client.call(200, `/imports/${_id}?limit=1`);
    const { endedAt, counts } = JSON.parse(shown.body.toString());
    if (endedAt === null) {
      await sleep(LOOK_EVERY_MS);
      continue;
    }
    if (counts.done !== urls.length) throw new Error(`${counts.done} files were stored instead of ${urls.length}`);
    return (performance.now() - started) / 1000;
  }
}

/** The speed of 1 GB without an inspector, and the memory that the API's isolate holds above idle, after a collection each time. */
async function benchLarge(): Promise<Target> {
  console.log("import: a file of 1 GB, in parts");
  await using source = await Source.start(sendLarge);
  const seconds = await withStack(false, (client) => importAll(client, [`${source.url}/1024`]));
  reportFigure("speed", 1024 / seconds, "MB/s");
  const held: number[] = [];
  await withStack(true, async (client, { miniflare }) => {
    await importAll(client, [`${source.url}/16`]);
    using memory = await IsolateMemory.open(miniflare, "api");
    const idleBytes = await memory.heldBytes();
    let ended = false;
    const measuring = (async () => {
      for (; !ended; await sleep(HELD_EVERY_MS)) held.push((await memory.heldBytes()) - idleBytes);
    })();
    await importAll(client, [`${source.url}/1024`]);
    ended = true;
    // The inspector of an isolate without work may never answer.
    await Promise.race([measuring, sleep(SETTLE_MS)]);
  });
  const value = Math.max(...held) / MIB;
  return reportTarget({ name: `held by the API's isolate, ${held.length} times`, value, atMost: 24, unit: "MB" });
}

async function withStack<T>(isInspected: boolean, use: (client: Client, stack: Stack) => Promise<T>): Promise<T> {
  await using stack = await startApi(VARS, { isQuiet: true, isInspected });
  const { client } = await openBusinessAccount(stack.url);
  try {
    return await use(client, stack);
  } finally {
    client.close();
  }
}

/** Sends as many megabytes as the path says. */
const sendLarge: RequestListener = ({ url = "" }, response) => {
  const megabytes = Number(url.slice(1));
  const piece = mp4(MIB);
  response.writeHead(200, { "Content-Length": megabytes * MIB, "Accept-Ranges": "bytes", ETag: '"one"' });
  const pieces = Array.from({ length: megabytes }, () => piece);
  // The service may close the connection.
  pipeline(Readable.from(pieces), response).catch(() => undefined);
};
