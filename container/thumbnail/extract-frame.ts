import { Refusal } from "../refusal.ts";
import { type ChildLimits, type ChildResult, runChild } from "../run-child.ts";
import { type FrameRequest, frameArguments, MAX_FRAME_BYTES } from "./frame-arguments.ts";
import { type FrameLog, lacksThreads, parseFrameLog } from "./frame-log.ts";
import { type Frame, parsePixmap } from "./portable-pixmap.ts";
import type { RangeSource } from "./range-source.ts";

const AT_SECONDS = 1;
const RETRY_AFTER_SECONDS = 60;
/** Of the time limit. More of it spent on waiting for the source, and the source is to blame. */
const SLOW_SOURCE_SHARE = 0.5;

export interface ExtractedFrame {
  frame: Frame;
  displaySize: { width: number; height: number };
  durationSeconds: number | undefined;
}

export interface ExtractOptions {
  ffmpeg: string;
  /** Where ffmpeg finds the source. */
  url: string;
  source: RangeSource;
  type: string;
  maxPixels: number;
  memoryBytes: number;
  timeoutSeconds: number;
  /** Of that time, had as CPU time: the video is to blame for not being done. */
  slowVideoPercent: number;
  signal: AbortSignal;
}

type Wanted = Pick<FrameRequest, "atSeconds" | "ignoresIndex" | "hdrTransfer">;

interface Budget {
  deadline: number;
  /** Of all runs so far. */
  cpuSeconds: number;
}

interface Attempt extends FrameLog {
  frame: Frame | undefined;
}

/**
 * The frame at one second, the first one of a shorter video; rotated as the video says, with high dynamic range mapped to the usual
 * one where ffmpeg can.
 * @throws Refusal 422 where there is no frame to be had, 503 where ffmpeg cannot run, what reading the source threw, and as
 * `tookTooLong` says when the time is up
 */
export async function extractFrame(options: ExtractOptions): Promise<ExtractedFrame> {
  const budget: Budget = { deadline: performance.now() + options.timeoutSeconds * 1000, cpuSeconds: 0 };
  const wanted: Wanted = { atSeconds: AT_SECONDS, ignoresIndex: false, hdrTransfer: undefined };
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
  if (!found.hasVideo) throw new Refusal(422, "no video in the file");
  if (found.frame === undefined) {
    wanted.atSeconds = undefined;
    found = await attempt();
  }
  const { frame, displaySize, hdrTransfer } = found;
  if (frame === undefined || displaySize === undefined) throw new Refusal(422, found.reason);
  const durationSeconds = wanted.ignoresIndex ? undefined : found.durationSeconds;
  if (hdrTransfer === undefined) return { frame, displaySize, durationSeconds };
  wanted.hdrTransfer = hdrTransfer;
  const mapped = await attempt().catch((error: unknown) => orWithout(error, options.source));
  return { frame: mapped?.frame ?? frame, displaySize, durationSeconds };
}

/** A picture whose brightness could not be mapped is better than none, unless its source failed. */
function orWithout(error: unknown, source: RangeSource): undefined {
  if (!(error instanceof Refusal) || source.failure?.status === 502) throw error;
}

async function tryFrame(options: ExtractOptions, wanted: Wanted, budget: Budget): Promise<Attempt> {
  const { ffmpeg, url, source, type, maxPixels, memoryBytes, signal, timeoutSeconds } = options;
  const limits: ChildLimits = {
    timeoutSeconds: (budget.deadline - performance.now()) / 1000,
    cpuSeconds: 4 * timeoutSeconds,
    memoryBytes,
    maxOutputBytes: MAX_FRAME_BYTES,
    maxFileBytes: 0,
  };
  const args = frameArguments({ url, type, maxPixels, ...wanted });
  const result = await runChild([ffmpeg, ...args], limits, signal);
  budget.cpuSeconds += result.cpuSeconds;
  const frame = parsePixmap(result.stdout);
  // With a frame in hand, it was only what ffmpeg reads ahead that went over the bound.
  if (source.failure !== undefined && !(source.isExhausted && frame !== undefined)) throw source.failure;
  if (result.stoppedBy === "timeout") throw tookTooLong(budget, options);
  requireOrderlyEnd(result);
  return { ...parseFrameLog(result.log), frame };
}

/**
 * Whose fault it is that the time is up. 502: the source's, which was on its way for half of the time or longer. 422: the video's,
 * as ffmpeg was at work on it for most of what half a processor has to give, and would be the next time. Else 504: nobody's that is
 * known, such as a machine that was busy with other things.
 */
function tookTooLong({ cpuSeconds }: Budget, { source, timeoutSeconds, slowVideoPercent }: ExtractOptions): Refusal {
  if (source.fetchingSeconds >= SLOW_SOURCE_SHARE * timeoutSeconds) return new Refusal(502, "the source is too slow");
  if (cpuSeconds >= (slowVideoPercent / 100) * timeoutSeconds)
    return new Refusal(422, "the video takes too long to decode");
  return new Refusal(504, "taking a frame took too long");
}

/** What is no fault of the video has to be told from what is: it may work another time. */
function requireOrderlyEnd({ stoppedBy, endedBy, log }: ChildResult): void {
  if (stoppedBy === "output") throw new Refusal(422, "the frame is too large");
  // What comes to life says its name first: a program for another machine, or without its libraries, does not. Then it starts threads.
  const isStarted = log.startsWith("ffmpeg version ") && !lacksThreads(log);
  if (endedBy === undefined && isStarted) return;
  console.error(JSON.stringify({ event: "ffmpeg failed", signal: endedBy, log: log.slice(-2000) }));
  if (!isStarted) throw new Refusal(503, "ffmpeg cannot run", RETRY_AFTER_SECONDS);
  // Nobody but a system that is short of memory kills it; all other signals are its own doing, which this file would bring about again.
  if (endedBy === "SIGKILL") throw new Refusal(503, "ffmpeg was killed", RETRY_AFTER_SECONDS);
  throw new Refusal(422, `ffmpeg crashed (${endedBy})`);
}
