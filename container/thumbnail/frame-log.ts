/** What ffmpeg's log says about a video and the frame taken from it. */
export interface FrameLog {
  /** Pictures that are attached to sound are no video. */
  hasVideo: boolean;
  /** Why there is no frame, if there is none. */
  reason: string;
  /** The frame after rotation, with square pixels. */
  displaySize: { width: number; height: number } | undefined;
  durationSeconds: number | undefined;
  /** The transfer function, where it is one of high dynamic range (ITU-R BT.2100). */
  hdrTransfer: "smpte2084" | "arib-std-b67" | undefined;
}

const MAX_SIDE = 65_535;
const MAPPING = "\nStream mapping:";

/**
 * What ffmpeg says about its work. Before that it describes the file, whose tags may hold line breaks and then look like any line;
 * its own words follow the last line that says which streams it takes. Where it gave up before, its last line tells why.
 */
function ownWords(log: string): string {
  const start = log.lastIndexOf(MAPPING);
  return start === -1 ? log.slice(log.trimEnd().lastIndexOf("\n") + 1) : log.slice(start);
}

/**
 * Whether the system kept ffmpeg from starting its threads, which no file is to blame for. A file whose frames fill the memory that
 * ffmpeg may have leaves no room for a thread's stack either, and the system gives the same answer then.
 */
export function lacksThreads(log: string): boolean {
  const words = ownWords(log);
  return /^\S.*: Resource temporarily unavailable$/m.test(words) && !lacksMemory(words);
}

function lacksMemory(log: string): boolean {
  return /Cannot allocate memory|get_buffer\(\) failed/.test(log);
}

/**
 * What a file says in place of ffmpeg can only be what its headers may claim anyway: its duration, that it is no video.
 * @param log standard error of a run with the `showinfo` filter before anything else that changes the frame, and without metadata in
 * its output
 */
export function parseFrameLog(log: string): FrameLog {
  const work = ownWords(log);
  // The first frame is the one taken; ffmpeg may have begun with the next ones.
  const transfer = /^\[Parsed_showinfo.*\bcolor_trc:(\S+)/m.exec(work)?.[1];
  const isMapped = log.includes(MAPPING);
  return {
    hasVideo: isMapped || (/^Input #0, /m.test(log) && !/^Stream map .* matches no streams/m.test(log)),
    reason: parseReason(log),
    displaySize: parseDisplaySize(work),
    durationSeconds: parseDuration(log),
    hdrTransfer: transfer === "smpte2084" || transfer === "arib-std-b67" ? transfer : undefined,
  };
}

function parseReason(log: string): string {
  if (lacksMemory(log)) return "the video needs too much memory";
  if (/^Decoder .* not found|^Error while opening decoder/m.test(log)) return "the video's codec is not supported";
  return "no frame can be decoded";
}

function parseDuration(log: string): number | undefined {
  const match = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+)/m.exec(log);
  if (match === null) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(Number);
  // Zero is what a file without a duration gets.
  return hours * 3600 + minutes * 60 + seconds || undefined;
}

/**
 * One side grows so that pixels become square, neither shrinks: the intrinsic size that HTML gives to anamorphic video.
 * A sample aspect ratio of 0 is an unknown one.
 */
function parseDisplaySize(work: string): FrameLog["displaySize"] {
  const match = /^\[Parsed_showinfo.* sar:(\d+)\/(\d+) s:(\d+)x(\d+) /m.exec(work);
  if (match === null) return undefined;
  const [numerator = 0, denominator = 0, width = 0, height = 0] = match.slice(1).map(Number);
  if (width === 0 || height === 0) return undefined;
  const ratio = numerator > 0 && denominator > 0 ? numerator / denominator : 1;
  const size = ratio > 1 ? { width: Math.round(width * ratio), height } : { width, height: Math.round(height / ratio) };
  return size.width > MAX_SIDE || size.height > MAX_SIDE ? { width, height } : size;
}
