import { execFile } from "node:child_process";
import { open, stat } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { promisify } from "node:util";
import type { Miniflare } from "miniflare";
import { newId } from "../../../src/domain/ids.ts";
import { fileKey, objectUrl } from "../../../src/domain/object-key.ts";
import { PREVIEW_PARAMETER, signPreview } from "../../../src/domain/preview-token.ts";
import { startProcessor } from "../../support/processor/start-processor.ts";
import { Client } from "../support/client.ts";
import { reportFigure, reportRatio, reportTarget, type Target } from "../support/report.ts";
import { measureInTurn } from "../support/rounds.ts";
import type { FilmStudio } from "./film.ts";
import type { Stage } from "./stage.ts";

const run = promisify(execFile);

const MB = 1024 * 1024;
const FILM_MB = 1024;
const PART_BYTES = 64 * MB;
const ROUNDS = 9;
const TOKEN_SECONDS = 3600;

/** A thumbnail of 1 GB of 1080p H.264: the bytes read of it, and its time beside ffmpeg with the local file. */
export async function benchLargeFilm({ stack, cdn }: Stage, studio: FilmStudio): Promise<Target[]> {
  console.log("thumbnails: a 1080p H.264 MP4 of 1 GB, its index at the end");
  const path = await studio.make("large.mp4", FILM_MB);
  const { size: sizeBytes } = await stat(path);
  const source = await storeFilm(stack.miniflare, path, sizeBytes);
  await using processor = await startProcessor(cdn.url, stack.url);
  const client = new Client(processor.url);
  const thumbnailMs = async (origin: URL) => {
    const body = JSON.stringify({ source: origin.origin + source, type: "video/mp4", width: 640, quality: 80 });
    const call = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    return (await client.call(200, "/thumbnail", call)).seconds * 1000;
  };

  cdn.signedBytes = 0;
  await thumbnailMs(cdn.url);
  const readBytes = cdn.signedBytes;
  reportFigure("file", sizeBytes / MB, "MB");
  reportFigure("bytes read", readBytes / MB, "MB");
  const share = reportTarget({ name: "share read", value: (100 * readBytes) / sizeBytes, atMost: 5, unit: "%" });
  // The processor reads past the counting proxy, which is no part of the product.
  const product = () => thumbnailMs(stack.url);
  const pairs = await measureInTurn(ROUNDS, { product, bare: () => localFrameMs(path) });
  client.close();
  return [share, reportRatio("ms", pairs, { atMost: 2 })];
}

/** The time of ffmpeg alone with the local file, at the same low priority as the processor's children. */
async function localFrameMs(path: string): Promise<number> {
  const started = performance.now();
  const frame = ["-frames:v", "1", "-vf", "scale=640:-2", "-q:v", "3", "-f", "mjpeg", "pipe:1"];
  const options = { encoding: "buffer", maxBuffer: 8 * MB } as const;
  const running = run("ffmpeg", ["-nostdin", "-v", "error", "-ss", "1", "-i", path, ...frame], options);
  if (running.child.pid !== undefined) setPriority(running.child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  await running;
  return performance.now() - started;
}

/** @returns path and query of its address */
async function storeFilm(miniflare: Miniflare, path: string, sizeBytes: number): Promise<string> {
  const objectKey = fileKey(newId(Date.now()), newId(Date.now()), "film.mp4");
  await putInParts(miniflare, objectKey, path, sizeBytes);
  const { PREVIEW_SECRET } = await miniflare.getBindings<{ PREVIEW_SECRET: string }>();
  const token = await signPreview(PREVIEW_SECRET, objectKey, Math.ceil(Date.now() / 1000) + TOKEN_SECONDS);
  return `${objectUrl("", objectKey)}?${PREVIEW_PARAMETER}=${token}`;
}

async function putInParts(miniflare: Miniflare, objectKey: string, path: string, sizeBytes: number): Promise<void> {
  const bucket = await miniflare.getR2Bucket("FILES");
  const upload = await bucket.createMultipartUpload(objectKey, { httpMetadata: { contentType: "video/mp4" } });
  await using file = await open(path);
  const parts = [];
  const buffer = Buffer.alloc(PART_BYTES);
  for (let at = 0; at < sizeBytes; at += PART_BYTES) {
    const { bytesRead } = await file.read(buffer, 0, PART_BYTES, at);
    parts.push(await upload.uploadPart(parts.length + 1, new Uint8Array(buffer.subarray(0, bytesRead))));
  }
  await upload.complete(parts);
}
