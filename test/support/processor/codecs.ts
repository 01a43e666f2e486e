// The output of cameras, phones, browsers and editors, each in its usual containers.

const YUV = ["-pix_fmt", "yuv420p"];
const X264 = ["-c:v", "libx264", "-preset", "ultrafast", ...YUV];
const X265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error", "-tag:v", "hvc1", ...YUV];
const VP8 = ["-c:v", "libvpx", "-deadline", "realtime", ...YUV];
const VP9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", ...YUV];
const AV1 = ["-c:v", "libaom-av1", "-usage", "realtime", "-cpu-used", "8", ...YUV];
const MPEG4 = ["-c:v", "mpeg4", "-q:v", "3", ...YUV];
const MJPEG = ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p"];
const PRORES = ["-c:v", "prores_ks", "-profile:v", "3"];

export const MP4 = "video/mp4";
export const MOV = "video/quicktime";
export const WEBM = "video/webm";
export const AVI = "video/x-msvideo";

/** The plainest H.264, quickly made. */
export const H264 = X264;

/** Title, type, file name, ffmpeg's arguments to encode. */
export const CODECS: readonly (readonly [title: string, type: string, name: string, args: readonly string[]])[] = [
  ["H.264 in MP4", MP4, "h264.mp4", X264],
  ["H.264 in MP4, index first", MP4, "fast.mp4", [...X264, "-movflags", "+faststart"]],
  ["H.264 in MP4, fragmented", MP4, "parts.mp4", [...X264, "-g", "5", "-movflags", "frag_keyframe+empty_moov"]],
  ["H.264 in MP4, 10 bits", MP4, "ten.mp4", [...X264, "-pix_fmt", "yuv420p10le"]],
  ["H.264 in MOV", MOV, "h264.mov", X264],
  ["H.264 in AVI", AVI, "h264.avi", [...X264, "-bf", "0"]],
  ["HEVC in MP4", MP4, "hevc.mp4", X265],
  ["HEVC in MOV", MOV, "hevc.mov", X265],
  ["VP8 in WebM", WEBM, "vp8.webm", VP8],
  ["VP9 in WebM", WEBM, "vp9.webm", VP9],
  ["VP9 in WebM, without an index", WEBM, "live.webm", [...VP9, "-live", "1"]],
  ["VP9 in MP4", MP4, "vp9.mp4", VP9],
  ["AV1 in MP4", MP4, "av1.mp4", AV1],
  ["AV1 in WebM", WEBM, "av1.webm", AV1],
  ["MPEG-4 part 2 in MP4", MP4, "mpeg4.mp4", MPEG4],
  ["MPEG-4 part 2 in AVI", AVI, "mpeg4.avi", MPEG4],
  ["MJPEG in AVI", AVI, "mjpeg.avi", MJPEG],
  ["MJPEG in MOV", MOV, "mjpeg.mov", MJPEG],
  ["ProRes in MOV", MOV, "prores.mov", PRORES],
];

/** A lavfi source of two seconds, the first red, the second blue: the frame at one second is blue. */
export function redThenBlue(size: string): string {
  return `color=red:s=${size}:r=25:d=1[a];color=blue:s=${size}:r=25:d=1[b];[a][b]concat`;
}
