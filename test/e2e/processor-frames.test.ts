import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { colorAt, type ReceivedThumbnail, receive } from "../support/processor/picture.ts";
import { Processor, reasonOf } from "../support/processor/processor.ts";
import { SourceServer } from "../support/processor/source.ts";
import { encode, makeVideo, turned } from "../support/processor/videos.ts";

// THUMB-2: always 640 pixels wide, with the video's rotation and sample aspect ratio.

const MP4 = "video/mp4";
const H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const AAC = ["-f", "lavfi", "-i", "sine=d=2", "-c:a", "aac"];

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

const ask = (video: Buffer, type = MP4) => processor.thumbnail({ source: source.serve("video", video), type });
const thumbnailOf = async (video: Buffer, type = MP4) => receive(await ask(video, type));
const reasonFor = async (video: Buffer, type = MP4) => reasonOf(await ask(video, type), 422);

function sizes({ width, height, videoWidth, videoHeight }: ReceivedThumbnail): number[] {
  return [width, height, videoWidth, videoHeight];
}

describe("size of a thumbnail", () => {
  it.each([
    ["1920x1080", "1", [640, 360, 1920, 1080]],
    ["1280x720", "1", [640, 360, 1280, 720]],
    ["720x1280", "1", [640, 1138, 720, 1280]],
    ["320x240", "1", [640, 480, 320, 240]],
    ["641x361", "1", [640, 360, 641, 361]],
    ["33x17", "1", [640, 330, 33, 17]],
    ["1x1", "1", [640, 640, 1, 1]],
    ["3x1", "1", [640, 213, 3, 1]],
    ["1x12", "1", [640, 7680, 1, 12]],
    ["720x576", "64/45", [640, 360, 1024, 576]],
    ["720x480", "8/9", [640, 480, 720, 540]],
    ["160x120", "2/1", [640, 240, 320, 120]],
    ["4400x200", "1", [640, 29, 4400, 200]],
  ])("A thumbnail of %s with pixels of %s has the right size", async (size, ratio, expected) => {
    const yuv444 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv444p"];
    const video = await encode("video.mp4", `testsrc=s=${size}:r=5:d=1.4,setsar=${ratio}`, ...yuv444);
    expect(sizes(await thumbnailOf(video))).toEqual(expected);
  });

  it("A thumbnail has the requested size", async () => {
    const video = await encode("video.mp4", "testsrc=s=640x480:r=5:d=1.4", ...H264);
    const url = source.serve("video", video);
    const small = await receive(await processor.thumbnail({ source: url, type: MP4, width: 100, quality: 10 }));
    const better = await receive(await processor.thumbnail({ source: url, type: MP4, width: 100, quality: 95 }));
    expect(sizes(small)).toEqual([100, 75, 640, 480]);
    expect(better.jpeg.length).toBeGreaterThan(small.jpeg.length);
  });
});

describe("rotated videos", () => {
  // A yellow bar marks the top of the encoded picture.
  const BAR = "color=blue:s=320x180:r=5:d=1.4,drawbox=w=320:h=40:c=yellow:t=fill";

  it.each([
    [0, "top", [0.5, 0.05]],
    [90, "right", [0.95, 0.5]],
    [180, "bottom", [0.5, 0.95]],
    [270, "left", [0.05, 0.5]],
  ] as const)("A video that is rotated by %i degrees has its top at the %s", async (degrees, _, [across, down]) => {
    const video = turned(await encode("video.mp4", BAR, ...H264), degrees);
    const thumbnail = await thumbnailOf(video);
    const isUpright = degrees % 180 === 0;
    expect(sizes(thumbnail)).toEqual(isUpright ? [640, 360, 320, 180] : [640, 1138, 180, 320]);
    expect(await colorAt(thumbnail.jpeg, across, down)).toBe("yellow");
    expect(await colorAt(thumbnail.jpeg, 1 - across, 1 - down)).toBe("blue");
  });

  it("A rotated video with pixels that are not square has its pixels rotated, too", async () => {
    const video = turned(await encode("video.mp4", `${BAR},setsar=2/1`, ...H264), 90);
    expect(sizes(await thumbnailOf(video))).toEqual([640, 2276, 180, 640]);
  });
});

describe("frame of a poster", () => {
  const SECONDS = "color=red:s=320x180:r=5:d=1[a];color=blue:s=320x180:r=5:d=1[b];color=yellow:s=320x180:r=5:d=1[c]";
  const THREE = `${SECONDS};[a][b][c]concat=n=3`;
  const posterOf = async (video: Buffer, atSeconds: number, width = 1920, type = MP4) =>
    receive(await processor.thumbnail({ source: source.serve("video", video), type, width, atSeconds }));

  it.each([
    [0, "red"],
    [0.5, "red"],
    [1.5, "blue"],
    [2.5, "yellow"],
    [2.9, "yellow"],
    [3, "yellow"],
    [3600, "yellow"],
  ])("The poster at %d seconds shows this moment, or the last frame beyond the end: %s", async (atSeconds, color) => {
    const video = await encode("video.mp4", THREE, ...H264);
    const poster = await posterOf(video, atSeconds);
    expect(await colorAt(poster.jpeg, 0.5, 0.5)).toBe(color);
    expect(sizes(poster)).toEqual([320, 180, 320, 180]);
  });

  it("The poster beyond the end of a video whose sound is longer is the video's last frame", async () => {
    const sound = ["-f", "lavfi", "-i", "sine=d=5", "-c:a", "aac"];
    const video = await makeVideo("video.mp4", "-f", "lavfi", "-i", THREE, ...sound, ...H264);
    expect(await colorAt((await posterOf(video, 60)).jpeg, 0.5, 0.5)).toBe("yellow");
  });

  it("The poster beyond the end of a WebM is its last frame", async () => {
    const video = await encode("video.webm", THREE, "-c:v", "libvpx", "-deadline", "realtime");
    expect(await colorAt((await posterOf(video, 60, 1920, "video/webm")).jpeg, 0.5, 0.5)).toBe("yellow");
  });

  it("A poster is upright and fits its edge", async () => {
    const video = turned(await encode("video.mp4", "testsrc=s=640x320:r=5:d=1.4", ...H264), 90);
    expect(sizes(await posterOf(video, 0.4, 320))).toEqual([160, 320, 320, 640]);
  });

  it.each([-1, 86_401, "1", null])("A wrong time (%s) is 400", async (atSeconds) => {
    const url = source.serve("video", Buffer.alloc(100));
    const answer = await processor.thumbnail({ source: url, type: MP4, atSeconds: atSeconds as number });
    expect(await reasonOf(answer, 400)).toContain("atSeconds");
  });
});

describe("frame of a thumbnail", () => {
  const colors = (...parts: [color: string, seconds: number][]) => {
    const inputs = parts.map(([color, seconds], i) => `color=${color}:s=64x64:r=25:d=${seconds}[${i}]`);
    return `${inputs.join(";")};${parts.map((_, i) => `[${i}]`).join("")}concat=n=${parts.length}`;
  };
  const shown = async (video: Buffer) => colorAt((await thumbnailOf(video)).jpeg, 0.5, 0.5);

  it("The frame of a thumbnail is exactly the one at one second, neither the one before nor a later one", async () => {
    const video = await encode("video.mp4", colors(["red", 1], ["yellow", 0.1], ["blue", 1]), ...H264);
    expect(await shown(video)).toBe("yellow");
  });

  it("The frame of a video of 0.2 seconds is its first frame", async () => {
    const video = await encode("video.mp4", colors(["yellow", 0.12], ["blue", 0.12]), ...H264);
    const thumbnail = await thumbnailOf(video);
    expect(await colorAt(thumbnail.jpeg, 0.5, 0.5)).toBe("yellow");
    expect(thumbnail.durationSeconds).toBeCloseTo(0.2, 1);
  });

  it("The frame of a video with one frame is this frame", async () => {
    expect(await shown(await encode("video.mp4", colors(["yellow", 0.04]), ...H264))).toBe("yellow");
  });

  it("The frame is at one second of the video, not of its clock", async () => {
    const video = await encode("video.mp4", colors(["red", 1], ["blue", 1]), ...H264, "-output_ts_offset", "5");
    expect(await shown(video)).toBe("blue");
  });

  it("The frame of a slide show is the slide on the screen", async () => {
    const slides = "color=red:s=64x64:r=1/30:d=90,format=yuv420p";
    const video = await encode("video.mp4", slides, ...H264, "-vsync", "vfr");
    expect(await shown(video)).toBe("red");
  });

  it("The frame is found when the frame rate varies", async () => {
    const varying = `${colors(["red", 1], ["blue", 1])},select='lt(t,0.35)+gt(t,0.85)'`;
    expect(await shown(await encode("video.mp4", varying, ...H264, "-vsync", "vfr"))).toBe("blue");
  });

  it("The frame is of the video, also in a file with sound, pictures and subtitles", async () => {
    const video = await makeVideo("video.mp4", ...["-f", "lavfi", "-i", colors(["yellow", 2])], ...AAC, ...H264);
    expect(await shown(video)).toBe("yellow");
  });

  it("A thumbnail's JPEG has nothing of the video's metadata", async () => {
    const tags = ["-metadata", "title=My kitchen", "-metadata", "location=+52.5+013.4/"];
    const { jpeg } = await thumbnailOf(await encode("video.mp4", colors(["red", 2]), ...tags, ...H264));
    const { exif, icc, xmp, iptc, comments } = await sharp(jpeg).metadata();
    expect({ exif, icc, xmp, iptc, comments }).toEqual({});
    expect(jpeg.includes("kitchen")).toBe(false);
  });

  it.each(["smpte2084", "arib-std-b67"])(
    "A frame of high dynamic range (%s) is as bright as others",
    async (transfer) => {
      // Diffuse white is at 58 % of the PQ signal and 75 % of HLG's (ITU-R BT.2408): without mapping it would look gray.
      const level = transfer === "smpte2084" ? 0.58 : 0.75;
      const luma = Math.round(64 + level * 876);
      const white = `color=black:s=320x180:r=5:d=1.4,format=yuv420p10le,geq=lum=${luma}:cb=512:cr=512`;
      const tags = `log-level=error:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`;
      const args = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", tags];
      const { jpeg } = await thumbnailOf(await encode("video.mp4", white, ...args));
      const [red] = await sharp(jpeg).raw().toBuffer();
      expect(red).toBeGreaterThan(205);
    },
  );
});

describe("videos without a thumbnail", () => {
  it.each(["mp4", "mov"])("A file with sound only has no thumbnail: %s", async (container) => {
    const sound = await makeVideo(`sound.${container}`, ...AAC);
    expect(await reasonFor(sound, container === "mp4" ? MP4 : "video/quicktime")).toMatch(/no video/);
  });

  it("A song with a cover has no thumbnail", async () => {
    const cover = ["-f", "lavfi", "-i", "color=red:s=64x64:d=1:r=1"];
    const args = ["-map", "0:a", "-map", "1:v", "-c:v", "mjpeg", "-disposition:v", "attached_pic", "-frames:v", "1"];
    const [input, ...codec] = [AAC.slice(0, 4), ...AAC.slice(4)];
    const song = await makeVideo("song.m4a", ...(input ?? []), ...cover, ...codec, ...args, "-f", "ipod");
    expect(await reasonFor(song)).toMatch(/no video/);
  });

  it.each([MP4, "video/quicktime", "video/webm", "video/x-msvideo"])(
    "Noise or an empty file that claims to be %s has no thumbnail",
    async (type) => {
      const noise = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * i * 31 + (i >> 3) * 7) & 255));
      expect(await reasonFor(noise, type)).not.toBe("");
      expect(await reasonFor(Buffer.alloc(100_000), type)).not.toBe("");
      expect(await reasonFor(Buffer.alloc(1), type)).not.toBe("");
      expect(await reasonFor(Buffer.alloc(0), type)).toMatch(/empty/);
    },
  );

  it.each([
    [MP4, "video.mp4", H264],
    ["video/webm", "video.webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]],
    ["video/x-msvideo", "video.avi", ["-c:v", "mpeg4"]],
  ])(
    "A video that is cut off near its beginning has no thumbnail, which does not count as a failure: %s",
    async (type, name, args) => {
      const video = await encode(name, "testsrc=s=320x180:r=10:d=2", ...args);
      expect(await reasonFor(video.subarray(0, 300), type)).not.toBe("");
      for (const part of [0.3, 0.6, 0.9]) {
        const response = await ask(video.subarray(0, video.length * part), type);
        expect([200, 422]).toContain(response.status);
      }
    },
  );

  it("A file of another container than it claims has no thumbnail", async () => {
    const avi = await encode("video.avi", "testsrc=s=64x64:r=10:d=2", "-c:v", "mpeg4");
    for (const type of [MP4, "video/quicktime", "video/webm"]) expect(await reasonFor(avi, type)).not.toBe("");
  });

  it("A video that is many times higher than wide has no thumbnail", async () => {
    const tower = await encode("video.mp4", "color=red:s=32x8400:r=5:d=1.4", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p");
    expect(await reasonFor(tower)).toMatch(/too narrow/);
    const small = await encode("video.mp4", "color=red:s=8x104:r=5:d=1.4", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p");
    expect(await reasonFor(small)).toMatch(/too narrow/);
  });

  it("A video whose frames are larger than 8K has no thumbnail", async () => {
    const bomb = await encode(
      "video.mp4",
      "color=red:s=16384x8192:r=1:d=1",
      ...["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"],
    );
    expect(await reasonFor(bomb)).toMatch(/no frame/);
  });
});
