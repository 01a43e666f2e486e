import { setTimeout as sleep } from "node:timers/promises";
import { IsolateMemory } from "../support/isolate/isolate-memory.ts";
import { mp4 } from "../support/media/samples.ts";
import { type Stack, startApi, startBare } from "../support/stack/miniflare.ts";
import { openBusinessAccount } from "./support/account.ts";
import { Client } from "./support/client.ts";
import { findWorkerd, peakBytes, resetPeak, residentBytes } from "./support/memory.ts";
import { reportRatio, reportSpread, reportTarget, type Target } from "./support/report.ts";
import { measureInTurn, median } from "./support/rounds.ts";

const MIB = 1024 * 1024;
const PIECE_BYTES = 64 * MIB;
const PIECES = 16;
const FILE_BYTES = PIECES * PIECE_BYTES;
const ROUNDS = 3;
const SETTLE_MS = 1000;
const HELD_EVERY_MS = 100;
const TUS = { "Tus-Resumable": "1.0.0" };

interface Uploader {
  /** Sends 1 GB in pieces, one after the other. @returns the seconds that it took */
  upload(pieces: number): Promise<number>;
  clear(): Promise<void>;
}

/** 1 GB in pieces of 64 MB: its speed and its cost in memory, beside a Worker that only passes parts on. */
export async function benchResumable(): Promise<Target[]> {
  console.log("resumable: 1 GB in pieces of 64 MB");
  return [await benchSpeed(), await benchMemory(), await benchHeld()];
}

/** A line of the log for each request would drown the report. */
function startQuietApi(): Promise<Stack> {
  return startApi({}, { isQuiet: true });
}

async function benchSpeed(): Promise<Target> {
  await using product = await startQuietApi();
  await using bare = await startBare("resumable.ts");
  const [ours, theirs] = [await productUploader(product), bareUploader(bare)];
  const pairs = await measureInTurn(ROUNDS, {
    product: () => megabytesPerSecond(ours),
    bare: () => megabytesPerSecond(theirs),
  });
  return reportRatio("MB/s", pairs, { atLeast: 0.85 });
}

async function megabytesPerSecond(uploader: Uploader): Promise<number> {
  const seconds = await uploader.upload(PIECES);
  await uploader.clear();
  return FILE_BYTES / MIB / seconds;
}

/** workerd keeps the memory it grew to, so each figure comes from a fresh process. */
async function benchMemory(): Promise<Target> {
  const product = [await growthMb(startQuietApi, productUploader)];
  const bare = [
    await growthMb(
      () => startBare("resumable.ts"),
      async (stack) => bareUploader(stack),
    ),
  ];
  console.log("  peak memory of workerd over idle, a fresh process each time:");
  reportSpread("product", product, "MB");
  reportSpread("bare", bare, "MB");
  const value = median(product) - median(bare);
  return reportTarget({ name: "product over bare", value, atMost: 24, unit: "MB" });
}

/** The memory that the API's isolate holds above idle: its heap and its buffers, after a collection each time. */
async function benchHeld(): Promise<Target> {
  await using stack = await startApi({}, { isQuiet: true, isInspected: true });
  const uploader = await productUploader(stack);
  await uploader.upload(1);
  await uploader.clear();
  using memory = await IsolateMemory.open(stack.miniflare, "api");
  const idleBytes = await memory.heldBytes();
  const held: number[] = [];
  let ended = false;
  const measuring = (async () => {
    for (; !ended; await sleep(HELD_EVERY_MS)) held.push(await memory.heldBytes());
  })();
  await uploader.upload(PIECES);
  ended = true;
  // The inspector of an isolate without work may never answer.
  await Promise.race([measuring, sleep(SETTLE_MS)]);
  const value = (Math.max(...held) - idleBytes) / MIB;
  return reportTarget({ name: `held by the API's isolate, ${held.length} times`, value, atMost: 24, unit: "MB" });
}

async function growthMb(start: () => Promise<Stack>, open: (stack: Stack) => Promise<Uploader>): Promise<number> {
  await using stack = await start();
  const pid = await findWorkerd();
  const uploader = await open(stack);
  await uploader.upload(1);
  await uploader.clear();
  await sleep(SETTLE_MS);
  await resetPeak(pid);
  const idleBytes = await residentBytes(pid);
  await uploader.upload(PIECES);
  return ((await peakBytes(pid)) - idleBytes) / MIB;
}

async function productUploader({ url }: Stack): Promise<Uploader> {
  const { client } = await openBusinessAccount(url);
  const piece = Buffer.from(mp4(PIECE_BYTES));
  let uploadId = "";
  return {
    upload: async (pieces) => {
      const started = performance.now();
      const length = { ...TUS, "Upload-Length": String(pieces * PIECE_BYTES) };
      await client.call(201, "/images/upload", { method: "POST", headers: length });
      const { body: listed } = await client.call(200, "/images/upload");
      uploadId = JSON.parse(listed.toString()).uploads[0]._id;
      for (let at = 0; at < pieces; at++) {
        const headers = {
          ...TUS,
          "Content-Type": "application/offset+octet-stream",
          "Upload-Offset": String(at * PIECE_BYTES),
        };
        const status = at === pieces - 1 ? 200 : 204;
        await client.call(status, `/images/upload/${uploadId}`, { method: "PATCH", headers, body: piece });
      }
      return (performance.now() - started) / 1000;
    },
    clear: async () => {
      await client.call(200, `/images/${uploadId}`, { method: "DELETE" });
    },
  };
}

function bareUploader({ url }: Stack): Uploader {
  const client = new Client(url);
  const piece = Buffer.from(mp4(PIECE_BYTES));
  return {
    upload: async (pieces) => {
      const started = performance.now();
      const { body } = await client.call(200, "/file", { method: "POST" });
      const { uploadId } = JSON.parse(body.toString());
      const parts: unknown[] = [];
      for (let at = 0; at < pieces; at++) {
        const path = `/file?uploadId=${encodeURIComponent(uploadId)}&after=${parts.length}`;
        const answer = await client.call(200, path, { method: "PATCH", body: piece });
        parts.push(...JSON.parse(answer.body.toString()));
      }
      const path = `/file?uploadId=${encodeURIComponent(uploadId)}`;
      const done = await client.call(200, path, { method: "PUT", body: JSON.stringify(parts) });
      const { sizeBytes } = JSON.parse(done.body.toString());
      if (sizeBytes !== pieces * PIECE_BYTES) throw new Error(`${sizeBytes} bytes were stored`);
      return (performance.now() - started) / 1000;
    },
    clear: async () => {
      await client.call(204, "/file", { method: "DELETE" });
    },
  };
}
