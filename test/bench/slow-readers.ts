import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { mp4 } from "../support/media/samples.ts";
import { type Stack, startBare, startCdn } from "../support/stack/miniflare.ts";
import { Client } from "./support/client.ts";
import { findWorkerd, peakBytes } from "./support/memory.ts";
import { reportFigure, type Target } from "./support/report.ts";
import { median } from "./support/rounds.ts";

const FILE_BYTES = 28 * 1024 * 1024;
/** R2 takes parts from this size on. */
const PART_BYTES = 5 * 1024 * 1024;
const READERS = 40;
/** The bytes that a reader takes each second. */
const PACE_BYTES = 1024;
const WATCHED_SECONDS = 10;
const OBJECT_KEY = "uploads/01arz3ndektsv4rrffq69g5fav/01arz3ndektsv4rrffq69g5faw-video.mp4";

/**
 * Forty clients that read a 28 MB file at 1 KB/s, and another client that reads a few bytes: the time of its reads, and workerd's memory. A
 * bare Worker that returns R2's body shows the local R2's part of both: it reads an object uploaded in parts ahead of its readers, and
 * blocks all other reads meanwhile.
 */
export async function benchSlowReaders(): Promise<Target[]> {
  console.log(`slow readers: ${READERS} clients read ${FILE_BYTES / 2 ** 20} MB at ${PACE_BYTES} B/s`);
  for (const inParts of [false, true]) {
    for (const [name, start] of [["bare", () => startBare("range.ts")] as const, ["product", startCdn] as const]) {
      await using stack = await start();
      await putFile(stack, inParts);
      await measure(`${name}, ${inParts ? "in parts" : "in one piece"}`, stack);
    }
  }
  return [];
}

async function putFile({ miniflare }: Stack, inParts: boolean): Promise<void> {
  const bucket = await miniflare.getR2Bucket("FILES");
  const file = mp4(FILE_BYTES);
  if (!inParts) {
    await bucket.put(OBJECT_KEY, file);
    return;
  }
  const upload = await bucket.createMultipartUpload(OBJECT_KEY);
  const parts = [];
  for (let at = 0; at < file.length; at += PART_BYTES) {
    parts.push(await upload.uploadPart(parts.length + 1, file.subarray(at, at + PART_BYTES)));
  }
  await upload.complete(parts);
}

async function measure(name: string, { url }: Stack): Promise<void> {
  const pid = await findWorkerd();
  const before = await peakBytes(pid);
  const readers = Array.from({ length: READERS }, () => readSlowly(url));
  const endsAt = Date.now() + WATCHED_SECONDS * 1000;
  // A client that still waits then gets an answer once the readers have gone.
  const end = setTimeout(() => {
    for (const reader of readers) reader.destroy();
  }, WATCHED_SECONDS * 1000);
  const other = new Client(url);
  const waits: number[] = [];
  do {
    const { seconds } = await other.call(206, `/${OBJECT_KEY}`, { headers: { Range: "bytes=100-199" } });
    waits.push(seconds * 1000);
    await wait(50);
  } while (Date.now() < endsAt);
  clearTimeout(end);
  for (const reader of readers) reader.destroy();
  other.close();
  reportFigure(`${name}: median wait`, median(waits), "ms");
  reportFigure(`${name}: longest wait`, Math.max(...waits), "ms");
  reportFigure(`${name}: memory`, ((await peakBytes(pid)) - before) / 2 ** 20, "MB");
}

function readSlowly({ hostname, port }: URL): Socket {
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.write(`GET /${OBJECT_KEY} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nRange: bytes=0-${FILE_BYTES - 1}\r\n\r\n`);
  socket.pause();
  const timer = setInterval(() => socket.read(PACE_BYTES), 1000);
  socket.once("close", () => clearInterval(timer));
  return socket;
}
