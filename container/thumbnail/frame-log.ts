/** Facts from ffmpeg's log about a video and its frame. */
export interface FrameLog {
  hasVideo: boolean;
  /** The file could be opened, and none of its tracks is a video. Pictures attached to sound do not count. */
  lacksVideo: boolean;
  /** The reason for a missing frame. */
  reason: string;
  /** The frame's size after rotation, with square pixels. */
  displaySize: { width: number; height: number } | undefined;
  durationSeconds: number | undefined;
  /** The transfer function, if the video has high dynamic range (ITU-R BT.2100). */
  hdrTransfer: "smpte2084" | "arib-std-b67" | undefined;
}

/** The reason for files without frames and for damaged files. */
export const NOTHING_DECODED = "no frame can be decoded";
const MAX_SIDE = 65_535;
const MAPPING = "\nStream mapping:";

/**
 * ffmpeg's own words about its work. It first describes the file, whose tags may contain line breaks and imitate any line. Its own words
 * follow the last line that lists the selected streams. If it gave up earlier, its last line holds the reason.
 */
function ownWords(log: string): string {
  const start = log.lastIndexOf(MAPPING);
  return start === -1 ? log.slice(log.trimEnd().lastIndexOf("\n") + 1) : log.slice(start);
}

/**
 * Whether the system kept ffmpeg from starting its threads, which is not the file's fault. The system reports the same error when a file's
 * frames fill ffmpeg's memory and leave no room for a thread's stack; that case returns false.
 */
export function lacksThreads(log: string): boolean {
  const words = ownWords(log);
  return /^\S.*: Resource temporarily unavailable$/m.test(words) && !lacksMemory(words);
}

function lacksMemory(log: string): boolean {
  return /Cannot allocate memory|get_buffer\(\) failed/.test(log);
}

/**
 * Reads ffmpeg's log. A file can only fake facts that its headers may claim anyway: its duration, and that it has no video.
 * @param log standard error of a run whose first filter is `showinfo` and whose output has no metadata
 */
export function parseFrameLog(log: string): FrameLog {
  const work = ownWords(log);
  // The first frame is the extracted one. ffmpeg may have begun with the next frames.
  const transfer = /^\[Parsed_showinfo.*\bcolor_trc:(\S+)/m.exec(work)?.[1];
  const isOpened = log.includes(MAPPING) || /^Input #0, /m.test(log);
  const lacksVideo = !log.includes(MAPPING) && isOpened && /^Stream map .* matches no streams/m.test(log);
  return {
    hasVideo: isOpened && !lacksVideo,
    lacksVideo,
    reason: parseReason(log),
    displaySize: parseDisplaySize(work),
    durationSeconds: parseDuration(log),
    hdrTransfer: transfer === "smpte2084" || transfer === "arib-std-b67" ? transfer : undefined,
  };
}

function parseReason(log: string): string {
  if (lacksMemory(log)) return "the video needs too much memory";
  if (/^Decoder .* not found|^Error while opening decoder/m.test(log)) return "the video's codec is not supported";
  return NOTHING_DECODED;
}

function parseDuration(log: string): number | undefined {
  const match = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+)/m.exec(log);
  if (match === null) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(Number);
  // ffmpeg prints zero for a file without a duration.
  return hours * 3600 + minutes * 60 + seconds || undefined;
}

/**
 * Enlarges one side so that pixels become square, like HTML's intrinsic size of anamorphic video. A sample aspect ratio of 0 is unknown.
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
