import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Processor } from "../support/processor.ts";
import { colorAt, receive } from "../support/processor-picture.ts";
import { SourceServer } from "../support/processor-source.ts";
import { encode } from "../support/processor-videos.ts";

// What cameras, phones, browsers and editors write: two seconds, red and then blue, each with an index as its muxer places it.

const RED_THEN_BLUE = "color=red:s=320x180:r=25:d=1[a];color=blue:s=320x180:r=25:d=1[b];[a][b]concat";
const YUV = ["-pix_fmt", "yuv420p"];

const X264 = ["-c:v", "libx264", "-preset", "ultrafast", ...YUV];
const X265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error", "-tag:v", "hvc1", ...YUV];
const VP8 = ["-c:v", "libvpx", "-deadline", "realtime", ...YUV];
const VP9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", ...YUV];
const AV1 = ["-c:v", "libaom-av1", "-usage", "realtime", "-cpu-used", "8", ...YUV];
const MPEG4 = ["-c:v", "mpeg4", "-q:v", "3", ...YUV];
const MJPEG = ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p"];
const PRORES = ["-c:v", "prores_ks", "-profile:v", "3"];

const MP4 = "video/mp4";
const MOV = "video/quicktime";
const WEBM = "video/webm";
const AVI = "video/x-msvideo";

let processor: Processor;
let source: SourceServer;

beforeAll(async () => {
  source = await SourceServer.start();
  processor = await Processor.start({ SOURCE_ORIGINS: source.url });
});

afterAll(async () => {
  await processor?.[Symbol.asyncDispose]();
  await source?.[Symbol.asyncDispose]();
});

describe("a thumbnail shows the frame at one second", () => {
  it.each([
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
  ])("of %s", async (_, type, name, args) => {
    const url = source.serve(name, await encode(name, RED_THEN_BLUE, ...args));
    const { jpeg, width, height, videoWidth, videoHeight, durationSeconds } = await receive(
      await processor.thumbnail({ source: url, type }),
    );
    expect({ width, height, videoWidth, videoHeight }).toEqual({
      width: 320,
      height: 180,
      videoWidth: 320,
      videoHeight: 180,
    });
    expect(await colorAt(jpeg, 0.5, 0.5)).toBe("blue");
    if (name !== "live.webm") expect(durationSeconds).toBeCloseTo(2, 1);
    expect(await processor.listFiles()).toEqual([]);
  });
});
