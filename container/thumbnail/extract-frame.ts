import { NoPicture, Refusal } from "../refusal.ts";
import { type ChildLimits, type ChildResult, runChild } from "../run-child.ts";
import { type FrameRequest, frameArguments, MAX_FRAME_BYTES, packetArguments } from "./frame-arguments.ts";
import { type FrameLog, lacksThreads, NOTHING_DECODED, parseFrameLog } from "./frame-log.ts";
import type { RangeSource } from "./range-source.ts";

const THUMBNAIL_SECONDS = 1;
/** Times before the end at which the last frame is searched: sound may be longer than the picture. */
const BEFORE_END_SECONDS = [0.25, 1, 4];
const RETRY_AFTER_SECONDS = 60;
/** The source is to blame if ffmpeg waited for it longer than this share of the time limit. */
const SLOW_SOURCE_SHARE = 0.5;
/** Only these formats declare their tracks apart from the data. In other formats a track without data is damaged. */
const DECLARES_TRACKS: ReadonlySet<string> = new Set(["video/mp4", "video/quicktime"]);

/** The header of a PPM image (P6, 8 bits a sample). */
const PIXMAP_HEADER = /^P6\s+(\d{1,5})\s+(\d{1,5})\s+255\s/;

/** Pixels of three bytes each: red, green, blue. */
interface Frame {
  width: number;
  height: number;
  pixels: Buffer;
}

export interface ExtractedFrame {
  frame: Frame;
  displaySize: { width: number; height: number };
  durationSeconds: number | undefined;
}

export interface ExtractOptions {
  ffmpeg: string;
  /** The source's address for ffmpeg. */
  url: string;
  source: RangeSource;
  type: string;
  maxPixels: number;
  memoryBytes: number;
  timeoutSeconds: number;
  /** The video is to blame if ffmpeg used this share of the time as CPU time. */
  slowVideoPercent: number;
  /** ffmpeg takes the last frame if the video ends earlier. Without it, the frame is a thumbnail's. */
  atSeconds?: number | undefined;
  /** The width of the thumbnail, if the frame is for one. */
  thumbnailWidth?: number | undefined;
  signal: AbortSignal;
}

type Wanted = Required<Pick<FrameRequest, "atSeconds" | "ignoresIndex" | "isLast" | "hdrTransfer">>;

interface Budget {
  deadline: number;
  /** CPU time of all runs. */
  cpuSeconds: number;
}

interface Attempt extends FrameLog {
  frame: Frame | undefined;
}

/**
 * Extracts the frame at a time, or the last frame of a shorter video. A thumbnail is the frame at one second, or the first frame (THUMB-1).
 * The frame is rotated as the video declares. High dynamic range is mapped to standard range if ffmpeg can do it.
 * @throws Refusal 422 if no frame can be had, 503 if ffmpeg cannot run, the source's failure, and `tookTooLong` when the time is up
 */
export async function extractFrame(options: ExtractOptions): Promise<ExtractedFrame> {
  const budget: Budget = { deadline: performance.now() + options.timeoutSeconds * 1000, cpuSeconds: 0 };
  const { atSeconds = THUMBNAIL_SECONDS } = options;
  const wanted: Wanted = { atSeconds, ignoresIndex: false, isLast: false, hdrTransfer: undefined };
  const attempt = async (): Promise<Attempt> => {
    try {
      return await tryFrame(options, wanted, budget);
    } catch (error) {
      if (wanted.ignoresIndex || !options.source.spendReserve()) throw error;
      wanted.ignoresIndex = true;
      return tryFrame(options, wanted, budget);
    }
  };

  let found = await attempt();
  if (found.lacksVideo) throw new NoPicture("no_video", "no video in the file");
  if (!found.hasVideo) throw new Refusal(422, "no video can be read from the file");
  const end = options.atSeconds === undefined ? undefined : found.durationSeconds;
  for (const before of end === undefined ? [] : BEFORE_END_SECONDS) {
    if (found.frame !== undefined) break;
    Object.assign(wanted, { atSeconds: Math.max(0, (end ?? 0) - before), isLast: true });
    found = await attempt();
  }
  if (found.frame === undefined) {
    Object.assign(wanted, { atSeconds: undefined, isLast: false });
    found = await attempt();
  }
  const { frame, displaySize, hdrTransfer } = found;
  if (frame === undefined || displaySize === undefined) {
    const mayBeEmpty = found.reason === NOTHING_DECODED && DECLARES_TRACKS.has(options.type);
    if (mayBeEmpty && (await lacksPackets(options, wanted, budget)))
      throw new NoPicture("no_frames", "no frames in the file");
    throw new Refusal(422, found.reason);
  }
  const durationSeconds = wanted.ignoresIndex ? undefined : found.durationSeconds;
  if (hdrTransfer === undefined) return { frame, displaySize, durationSeconds };
  wanted.hdrTransfer = hdrTransfer;
  const mapped = await attempt().catch((error: unknown) => orWithout(error, options.source));
  return { frame: mapped?.frame ?? frame, displaySize, durationSeconds };
}

/** A frame whose brightness could not be mapped is still useful, unless the source failed. */
function orWithout(error: unknown, source: RangeSource): undefined {
  if (!(error instanceof Refusal) || source.failure?.status === 502) throw error;
}

async function tryFrame(options: ExtractOptions, wanted: Wanted, budget: Budget): Promise<Attempt> {
  const { url, source, type, maxPixels, thumbnailWidth } = options;
  const result = await runFfmpeg(frameArguments({ url, type, maxPixels, thumbnailWidth, ...wanted }), options, budget);
  const frame = parsePixmap(result.stdout);
  // The frame is complete. Only ffmpeg's reading ahead exceeded the bound.
  if (source.failure !== undefined && !(source.isExhausted && frame !== undefined)) throw source.failure;
  if (result.stoppedBy === "timeout") throw tookTooLong(budget, options);
  requireOrderlyEnd(result);
  return { ...parseFrameLog(result.log), frame };
}

/** Whether the video track is empty, like in the initialization segment of a stream. False if that cannot be determined. */
async function lacksPackets(options: ExtractOptions, { ignoresIndex }: Wanted, budget: Budget): Promise<boolean> {
  const { url, source, type } = options;
  const result = await runFfmpeg(packetArguments({ url, type, ignoresIndex }), options, budget);
  const isComplete = source.failure === undefined && result.stoppedBy === undefined && result.endedBy === undefined;
  return isComplete && result.stdout.length === 0 && parseFrameLog(result.log).hasVideo;
}

async function runFfmpeg(args: readonly string[], options: ExtractOptions, budget: Budget): Promise<ChildResult> {
  const { ffmpeg, memoryBytes, signal, timeoutSeconds } = options;
  const limits: ChildLimits = {
    timeoutSeconds: (budget.deadline - performance.now()) / 1000,
    cpuSeconds: 4 * timeoutSeconds,
    memoryBytes,
    maxOutputBytes: MAX_FRAME_BYTES,
    maxFileBytes: 0,
  };
  const result = await runChild([ffmpeg, ...args], limits, signal);
  budget.cpuSeconds += result.cpuSeconds;
  return result;
}

/**
 * Decides who is to blame for the timeout. 502: the source, which was being fetched for at least half of the time. 422: the video, because
 * ffmpeg used most of the CPU time that half a processor gives, and would do so again. Otherwise 504: the cause is unknown, for example a
 * busy machine.
 */
function tookTooLong({ cpuSeconds }: Budget, { source, timeoutSeconds, slowVideoPercent }: ExtractOptions): Refusal {
  if (source.fetchingSeconds >= SLOW_SOURCE_SHARE * timeoutSeconds) return new Refusal(502, "the source is too slow");
  if (cpuSeconds >= (slowVideoPercent / 100) * timeoutSeconds)
    return new Refusal(422, "the video takes too long to decode");
  return new Refusal(504, "taking a frame took too long");
}

/** Separates failures of the machine, which may pass, from failures of the video. */
function requireOrderlyEnd({ stoppedBy, endedBy, log }: ChildResult): void {
  if (stoppedBy === "output") throw new Refusal(422, "the frame is too large");
  // ffmpeg prints its name first, then starts threads. A program for another machine or without its libraries prints nothing.
  const isStarted = log.startsWith("ffmpeg version ") && !lacksThreads(log);
  if (endedBy === undefined && isStarted) return;
  console.error(JSON.stringify({ event: "ffmpeg failed", signal: endedBy, log: log.slice(-2000) }));
  if (!isStarted) throw new Refusal(503, "ffmpeg cannot run", RETRY_AFTER_SECONDS);
  // Only a system that is short of memory sends SIGKILL. Any other signal is ffmpeg's own crash, which this file would cause again.
  if (endedBy === "SIGKILL") throw new Refusal(503, "ffmpeg was killed", RETRY_AFTER_SECONDS);
  throw new Refusal(422, `ffmpeg crashed (${endedBy})`);
}

/** The first image of a PPM stream; undefined if none is complete. */
function parsePixmap(stream: Buffer): Frame | undefined {
  const header = PIXMAP_HEADER.exec(stream.toString("latin1", 0, 32));
  if (header === null) return undefined;
  const [text, width, height] = [header[0], Number(header[1]), Number(header[2])];
  const end = text.length + width * height * 3;
  if (width === 0 || height === 0 || stream.length < end) return undefined;
  return { width, height, pixels: stream.subarray(text.length, end) };
}
