import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { IsolateMemory } from "../support/isolate/isolate-memory.ts";
import { type CompressedResult, type CompressingAccount, CompressionHost } from "../support/media/compression.ts";
import { photo } from "../support/media/pictures.ts";
import { mp4 } from "../support/media/samples.ts";

// An isolate has 128 MB for all its requests, and is replaced when it takes more: every upload in it would be lost.

const MIB = 1024 * 1024;
const PART_BYTES = 8 * MIB;
const MAX_HELD_BYTES = 100 * 1000 * 1000;
const HOLD_MS = 5000;
const WORKERS = ["api", "media-host-codecs"];

let host: CompressionHost;

beforeAll(async () => {
  host = await CompressionHost.start({}, { isInspected: true });
});

afterAll(() => host?.[Symbol.asyncDispose]());

interface Answer {
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly result: CompressedResult;
}

/** Sends a file as a raw body: its first bytes at once, the last ones when it is told to. */
async function send(
  account: CompressingAccount,
  bytes: Uint8Array,
  holdBack = 0,
  goOn = Promise.resolve(),
): Promise<Answer> {
  const call = request(new URL("/images/upload?filename=file", host.stack.url).href, {
    method: "POST",
    headers: { Authorization: `Bearer ${account.token}`, "Content-Length": bytes.length },
  });
  // An answer may come, and the connection end, while the file is still being sent.
  call.on("error", () => undefined);
  const answering = once(call, "response") as Promise<[IncomingMessage]>;
  call.write(bytes.subarray(0, bytes.length - holdBack));
  await Promise.race([goOn, answering]);
  call.end(bytes.subarray(bytes.length - holdBack));
  const [answer] = await answering;
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  return { status: answer.statusCode ?? 0, retryAfter: body.details?.retryAfter, result: body };
}

async function measure(memory: IsolateMemory, measured: number[], isOver: () => boolean): Promise<void> {
  for (; !isOver(); await sleep(300)) measured.push(await memory.heldBytes());
}

it("stays within its memory whatever comes at once, and every upload is stored or told to try again", async () => {
  const account = await host.openAccount();
  const bystander = await host.openAccount({});
  const [camera, screenshot] = await Promise.all([
    photo(4000, 3000).jpeg({ quality: 90 }).toBuffer(),
    photo(1500, 1000).resize(6000, 4000, { kernel: "nearest" }).png({ compressionLevel: 1 }).toBuffer(),
  ]);
  const memories = await Promise.all(WORKERS.map((name) => IsolateMemory.open(host.stack.miniflare, name)));
  const measured = WORKERS.map((): number[] => []);
  let ended = false;
  // Nobody waits for the last measurement: the inspector of an isolate without work may not answer any more.
  for (const [i, memory] of memories.entries()) void measure(memory, measured[i] ?? [], () => ended);

  const holding = sleep(HOLD_MS);
  // The images come first, so that the codecs have all of them to do while the others fill the memory.
  const uploads = [
    send(account, screenshot),
    ...Array.from({ length: 8 }, () => send(account, camera)),
    ...Array.from({ length: 60 }, (_, i) => send(account, mp4(PART_BYTES - 1000, i + 1), 100, holding)),
    ...Array.from({ length: 10 }, (_, i) => send(account, mp4(20 * MIB, i + 1))),
  ];
  const answering = Promise.all(uploads);
  const waits: number[] = [];
  const serving = (async () => {
    while (!ended) {
      const began = performance.now();
      expect((await send(bystander, mp4(200_000))).status).toBe(201);
      waits.push(performance.now() - began);
      await sleep(500);
    }
  })();
  const answers = await answering;
  ended = true;
  await serving;
  for (const memory of memories) memory[Symbol.dispose]();

  for (const { status, retryAfter, result } of answers) {
    if (status === 201) continue;
    expect([status, typeof retryAfter], JSON.stringify(result)).toEqual([503, "number"]);
  }
  const stored = answers.filter(({ status }) => status === 201).map(({ result }) => result);
  expect(stored.length).toBeGreaterThan(10);
  const compressed = stored.filter((result) => result.compressed).length;
  expect(await account.storageUsed()).toBe(stored.reduce((sum, { fileSize }) => sum + fileSize, 0));
  for (const { url, fileSize } of stored) {
    const served = await fetch(new URL(new URL(url).pathname, host.stack.url), { method: "HEAD" });
    expect([served.status, Number(served.headers.get("Content-Length"))]).toEqual([200, fileSize]);
  }
  const most = measured.map((bytes) => Math.max(...bytes));
  const report = `stored ${stored.length} of ${answers.length}, ${compressed} compressed; measured ${measured.map(({ length }) => length)} times, most held ${most.map((bytes) => Math.round(bytes / 1e6))} MB; worst wait ${Math.round(Math.max(...waits))} ms`;
  expect(compressed, report).toBeGreaterThan(0);
  for (const { length } of measured) expect(length, report).toBeGreaterThan(5);
  for (const bytes of most) expect(bytes, report).toBeLessThanOrEqual(MAX_HELD_BYTES);
  // Two seconds are the target, and a figure of the machine too: all Workers share one thread here. Nobody starves in any case.
  console.info(report);
  expect(Math.max(...waits), report).toBeLessThan(10_000);
}, 120_000);
