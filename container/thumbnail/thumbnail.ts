import { accessSync, constants } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import sharp from "sharp";
import type { Config } from "../config.ts";
import { Refusal } from "../refusal.ts";
import { readBody } from "../request-body.ts";
import { requireAllowedSource } from "../source-policy.ts";
import { type ExtractedFrame, extractFrame } from "./extract-frame.ts";
import { VIDEO_TYPES } from "./frame-arguments.ts";
import type { RangeProxy } from "./range-proxy.ts";
import { RangeSource } from "./range-source.ts";

const MAX_BODY_BYTES = 16 * 1024;
const MAX_WIDTH = 4096;
/** Noise of 640 by 8,192 pixels takes 3.3 MB at quality 80. The Worker accepts an answer of up to 4 MiB. */
const MAX_HEIGHT = 8192;
/** A day. */
const MAX_SECONDS = 86_400;
const RETRY_AFTER_SECONDS = 60;

export interface ThumbnailRequest {
  source: URL;
  type: string;
  /** Pixels; a smaller video is enlarged. */
  width: number;
  /** JPEG quality, 1 to 100. */
  quality: number;
  /**
   * The frame's time. The frame is then at most `width` wide and high and never enlarged. For a time beyond the end, the last frame is
   * taken. Undefined: a thumbnail.
   */
  atSeconds: number | undefined;
}

/** @throws Refusal 400 for a body that is not `{source, type, width, quality, atSeconds}` or a source that may not be fetched */
export async function readThumbnailRequest(
  request: IncomingMessage,
  origins: ReadonlySet<string>,
): Promise<ThumbnailRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBody(request, MAX_BODY_BYTES)) chunks.push(chunk);
  const { source, type, width, quality, atSeconds } = parseObject(Buffer.concat(chunks).toString("utf8"));
  if (typeof source !== "string") throw new Refusal(400, "source must be a string");
  if (typeof type !== "string" || !VIDEO_TYPES.has(type)) throw new Refusal(400, "type must be a known video type");
  const isWithin = (value: unknown, max: number): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max;
  if (!isWithin(width, MAX_WIDTH)) throw new Refusal(400, `width must be a whole number from 1 to ${MAX_WIDTH}`);
  if (!isWithin(quality, 100)) throw new Refusal(400, "quality must be a whole number from 1 to 100");
  const isTime = typeof atSeconds === "number" && atSeconds >= 0 && atSeconds <= MAX_SECONDS;
  if (atSeconds !== undefined && !isTime) throw new Refusal(400, `atSeconds must be a number from 0 to ${MAX_SECONDS}`);
  return { source: requireAllowedSource(source, origins), type, width, quality, atSeconds };
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400, "the body is not JSON");
  }
  if (typeof value !== "object" || value === null) throw new Refusal(400, "the body is not an object");
  return value as Record<string, unknown>;
}

/**
 * Answers with a JPEG of the video's frame at a time (one second for a thumbnail). Headers have its display size and the duration.
 * @throws Refusal 422 if the video can never have a thumbnail, 502, 503 and 504 if a later try may work
 */
export async function thumbnail(
  { source, type, width, quality, atSeconds }: ThumbnailRequest,
  { response, signal, proxy }: { response: ServerResponse; signal: AbortSignal; proxy: RangeProxy },
  config: Config,
): Promise<void> {
  const ffmpeg = findFfmpeg(process.env);
  if (ffmpeg === undefined) throw new Refusal(503, "ffmpeg is not available", RETRY_AFTER_SECONDS);
  const finished = new AbortController();
  const range = new RangeSource(source, config.maxSourceBytes, AbortSignal.any([signal, finished.signal]));
  using opened = proxy.open(range);
  // ffmpeg takes longer to start than the first bytes take to come. It gets the reason if they cannot be read.
  range.size().catch(() => undefined);
  try {
    const extracted = await extractFrame({
      ffmpeg,
      url: opened.url,
      source: range,
      type,
      maxPixels: config.maxFramePixels,
      memoryBytes: config.childMemoryBytes,
      timeoutSeconds: config.thumbnailTimeoutSeconds,
      slowVideoPercent: config.slowVideoPercent,
      atSeconds,
      thumbnailWidth: atSeconds === undefined ? width : undefined,
      signal,
    });
    const jpeg = await encode(extracted, atSeconds === undefined ? width : fitted(extracted, width), quality);
    const { displaySize, durationSeconds } = extracted;
    response.writeHead(200, {
      "Content-Type": "image/jpeg",
      "Content-Length": jpeg.length,
      "Media-Width": displaySize.width,
      "Media-Height": displaySize.height,
      ...(durationSeconds === undefined ? {} : { "Media-Duration": durationSeconds }),
    });
    response.end(jpeg);
  } finally {
    finished.abort();
  }
}

/** The width of a frame that fits into a square and is not enlarged. */
function fitted({ displaySize: { width, height } }: ExtractedFrame, edge: number): number {
  return Math.max(1, Math.round(width * Math.min(1, edge / Math.max(width, height))));
}

/** @throws Refusal 422 if the thumbnail would be too high */
async function encode({ frame, displaySize }: ExtractedFrame, width: number, quality: number): Promise<Buffer> {
  const height = Math.max(1, Math.round((displaySize.height * width) / displaySize.width));
  if (height > MAX_HEIGHT) throw new Refusal(422, "the video is too narrow");
  sharp.cache(false);
  sharp.concurrency(1);
  const raw = { width: frame.width, height: frame.height, channels: 3 as const };
  return sharp(frame.pixels, { raw }).resize(width, height, { fit: "fill" }).jpeg({ quality }).toBuffer();
}

const PACKAGE = "@ffmpeg-installer/ffmpeg";

/** The path of ffmpeg: FFMPEG_PATH, else a program in PATH, else the package of development machines. Undefined if there is none. */
export function findFfmpeg(env: NodeJS.ProcessEnv): string | undefined {
  if (env.FFMPEG_PATH) return env.FFMPEG_PATH;
  const name = process.platform === "win32" ? "ffmpeg.exe" : "ffmpeg";
  const onPath = (env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
  return onPath.find(isExecutable) ?? packaged();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function packaged(): string | undefined {
  try {
    const { path } = createRequire(import.meta.url)(PACKAGE) as { path: string };
    return isExecutable(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
