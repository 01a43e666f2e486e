import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { IsolateMemory } from "../isolate/isolate-memory.ts";
import type { CompressedResult, CompressingAccount, CompressionHost } from "../media/compression.ts";
import { photo } from "../media/pictures.ts";
import { mp4 } from "../media/samples.ts";

const MIB = 1024 * 1024;
const PART_BYTES = 8 * MIB;
const HOLD_MS = 5000;
const WORKERS = ["api", "media-host-codecs"];
const MEASURE_EVERY_MS = 300;
const BYSTANDER_EVERY_MS = 500;
/** An isolate has 128 MB for all its requests. If it takes more, it is replaced and loses every upload in it. */
export const MAX_HELD_BYTES = 100 * 1000 * 1000;

export interface CrowdAnswer {
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly result: CompressedResult;
}

/** Sends a file as a raw body: its first bytes at once, the last ones on command. */
async function send(
  base: URL,
  token: string,
  bytes: Uint8Array,
  holdBack = 0,
  goOn = Promise.resolve(),
): Promise<CrowdAnswer> {
  const call = request(new URL("/images/upload?filename=file", base).href, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Length": bytes.length },
  });
  // The answer may arrive, and the connection may end, while the file is still being sent.
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

export interface Crowd {
  readonly answers: readonly CrowdAnswer[];
  /** The time of each small upload of another account during the crowd. */
  readonly bystanderMs: readonly number[];
}

export interface MeasuredCrowd extends Crowd {
  readonly account: CompressingAccount;
  /** The bytes that the API Worker's isolate and the Codec Worker's isolate hold, at each measurement. */
  readonly heldBytes: readonly (readonly number[])[];
  /** Sends one of the photos once more. */
  sendPhoto(): Promise<CrowdAnswer>;
}

/** The images among the crowd. */
export interface CrowdImages {
  /** 12 megapixels. */
  readonly photo: Buffer;
  /** 24 megapixels. */
  readonly screenshot: Buffer;
}

export async function makeCrowdImages(): Promise<CrowdImages> {
  const [camera, screenshot] = await Promise.all([
    photo(4000, 3000).jpeg({ quality: 90 }).toBuffer(),
    photo(1500, 1000).resize(6000, 4000, { kernel: "nearest" }).png({ compressionLevel: 1 }).toBuffer(),
  ]);
  return { photo: camera, screenshot };
}

/**
 * Everything at once: 60 clients that stop just before the end of a part, 10 videos, 8 photos of 12 MP and a PNG of 24 MP. Another client
 * sends a small file every half second.
 * @param tokens of the two accounts; a bare Worker that only calls the platform ignores both
 */
export async function sendCrowd(
  base: URL,
  tokens: { readonly crowd: string; readonly bystander: string },
  images: CrowdImages,
): Promise<Crowd> {
  const holding = sleep(HOLD_MS);
  const sendOne = (bytes: Uint8Array) => send(base, tokens.crowd, bytes);
  const answering = Promise.all([
    ...Array.from({ length: 60 }, (_, i) => send(base, tokens.crowd, mp4(PART_BYTES - 1000, i + 1), 100, holding)),
    ...Array.from({ length: 10 }, (_, i) => sendOne(mp4(20 * MIB, i + 1))),
    ...Array.from({ length: 8 }, () => sendOne(images.photo)),
    sendOne(images.screenshot),
  ]);
  let ended = false;
  const bystanderMs: number[] = [];
  const serving = (async () => {
    while (!ended) {
      const began = performance.now();
      const { status } = await send(base, tokens.bystander, mp4(200_000));
      if (status !== 201) throw new Error(`Another account's small upload was answered ${status}`);
      bystanderMs.push(performance.now() - began);
      await sleep(BYSTANDER_EVERY_MS);
    }
  })();
  const answers = await answering.finally(() => {
    ended = true;
  });
  await serving;
  return { answers, bystanderMs };
}

/** The crowd at the service, and the memory of its isolates meanwhile. @param host whose isolates can be inspected */
export async function measureCrowd(host: CompressionHost, images: CrowdImages): Promise<MeasuredCrowd> {
  const base = host.stack.url;
  const account = await host.openAccount();
  const bystander = await host.openAccount({});
  const memories = await Promise.all(WORKERS.map((name) => IsolateMemory.open(host.stack.miniflare, name)));
  const heldBytes = WORKERS.map((): number[] => []);
  let ended = false;
  const measure = async (memory: IsolateMemory, measured: number[]) => {
    for (; !ended; await sleep(MEASURE_EVERY_MS)) measured.push(await memory.heldBytes());
  };
  // The last measurement is not awaited: the inspector of an isolate without work may never answer.
  for (const [i, memory] of memories.entries()) void measure(memory, heldBytes[i] ?? []);
  const crowd = await sendCrowd(base, { crowd: account.token, bystander: bystander.token }, images).finally(() => {
    ended = true;
  });
  for (const memory of memories) memory[Symbol.dispose]();
  return { account, ...crowd, heldBytes, sendPhoto: () => send(base, account.token, images.photo) };
}
