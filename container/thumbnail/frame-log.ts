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

/** @param log standard error of a run with the `showinfo` filter before anything else that changes the frame */
export function parseFrameLog(log: string): FrameLog {
  const transfer = /^\[Parsed_showinfo.*\bcolor_trc:(\S+)/m.exec(log)?.[1];
  return {
    hasVideo: /^Input #0, /m.test(log) && !/^Stream map .* matches no streams/m.test(log),
    reason: parseReason(log),
    displaySize: parseDisplaySize(log),
    durationSeconds: parseDuration(log),
    hdrTransfer: transfer === "smpte2084" || transfer === "arib-std-b67" ? transfer : undefined,
  };
}

function parseReason(log: string): string {
  if (/Cannot allocate memory|get_buffer\(\) failed/.test(log)) return "the video needs too much memory";
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
function parseDisplaySize(log: string): FrameLog["displaySize"] {
  const match = /^\[Parsed_showinfo.* sar:(\d+)\/(\d+) s:(\d+)x(\d+) /m.exec(log);
  if (match === null) return undefined;
  const [numerator = 0, denominator = 0, width = 0, height = 0] = match.slice(1).map(Number);
  const ratio = numerator > 0 && denominator > 0 ? numerator / denominator : 1;
  const size = ratio > 1 ? { width: Math.round(width * ratio), height } : { width, height: Math.round(height / ratio) };
  return size.width > MAX_SIDE || size.height > MAX_SIDE ? { width, height } : size;
}
