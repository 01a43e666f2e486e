import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readThumbnail, VideoAccount } from "../support/processor/account.ts";
import { CODECS, H264, redThenBlue } from "../support/processor/codecs.ts";
import { colorAt } from "../support/processor/picture.ts";
import { encode, makeVideo, turned } from "../support/processor/videos.ts";
import { Stack } from "../support/stack/stack.ts";

// THUMB-1 to THUMB-4, LIM-2 and LIM-4 over the whole stack, as a client sees it.

const YUV444 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv444p"];
/** The longest time of a view through its journal and the queue. */
const VIEWS_MS = 5000;

/** ITU-T T.81, table K.1, in zigzag order and scaled for quality 80 as the Independent JPEG Group does it. */
const QUALITY_80 = [6, 4, 5, 6, 5, 4, 6, 6];

let stack: Stack;
let account: VideoAccount;

beforeAll(async () => {
  stack = await Stack.start();
  account = await VideoAccount.of(stack);
});

afterAll(() => stack?.dispose());

/** T.81, B.2.4.1: the DQT marker is followed by its length, and the precision and number of the table. */
function luminanceTable(jpeg: Buffer): Buffer {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xdb])) + 5;
  return jpeg.subarray(at, at + 64);
}

describe.concurrent("thumbnails by codec", () => {
  it.each(CODECS)(
    "A video gets a thumbnail of the frame at one second, 640 pixels wide: %s",
    async (_, type, name, args) => {
      const upload = await account.upload(name, await encode(name, redThenBlue("960x540"), ...args));
      expect(upload).toMatchObject({ mimeType: type, compressed: false, size: { width: 0, height: 0 } });
      const { jpeg, width, height } = await readThumbnail(await account.thumbnailOf(upload));
      expect([width, height]).toEqual([640, 360]);
      expect(await colorAt(jpeg, 0.5, 0.5)).toBe("blue");
      const { thumbnailUrl, size } = await account.find(upload);
      expect({ thumbnailUrl, size }).toEqual({ thumbnailUrl: upload.thumbnailUrl, size: { width: 960, height: 540 } });
    },
  );
});

describe.concurrent("shape of a thumbnail", () => {
  it.each([
    ["small, and enlarged", "320x180", "1", 0, [640, 360], [320, 180]],
    ["upright", "720x1280", "1", 0, [640, 1138], [720, 1280]],
    ["with odd sides, enlarged", "33x17", "1", 0, [640, 330], [33, 17]],
    ["with odd sides, made smaller", "1281x721", "1", 0, [640, 360], [1281, 721]],
    ["with pixels that are wider than high", "720x576", "64/45", 0, [640, 360], [1024, 576]],
    ["with pixels that are higher than wide", "720x480", "8/9", 0, [640, 480], [720, 540]],
    ["turned by a quarter", "640x360", "1", 90, [640, 1138], [360, 640]],
    ["turned by a quarter, with oblong pixels", "320x180", "2/1", 270, [640, 2276], [180, 640]],
  ] as const)(
    "A thumbnail has the shape of the video as it is played: %s",
    async (_, encoded, ratio, degrees, [width, height], [shownWidth, shownHeight]) => {
      const video = await encode("video.mp4", `testsrc=s=${encoded}:r=5:d=1.4,setsar=${ratio}`, ...YUV444);
      const upload = await account.upload("video.mp4", turned(video, degrees));
      expect(await readThumbnail(await account.thumbnailOf(upload))).toMatchObject({ width, height });
      expect((await account.find(upload)).size).toEqual({ width: shownWidth, height: shownHeight });
    },
  );
});

describe("frame of a thumbnail", () => {
  it("The frame of a video shorter than a second is its first", async () => {
    const colors = "color=yellow:s=64x64:r=25:d=0.2[a];color=blue:s=64x64:r=25:d=0.4[b];[a][b]concat";
    const upload = await account.upload("short.mp4", await encode("short.mp4", colors, ...H264));
    const { jpeg } = await readThumbnail(await account.thumbnailOf(upload));
    expect(await colorAt(jpeg, 0.5, 0.5)).toBe("yellow");
  });

  it("The frame of a video with a varying rate is the frame on the screen at one second", async () => {
    const source = `${redThenBlue("64x64")},select='lt(t,0.35)+gt(t,0.85)'`;
    const upload = await account.upload("vfr.mp4", await encode("vfr.mp4", source, ...H264, "-vsync", "vfr"));
    const { jpeg } = await readThumbnail(await account.thumbnailOf(upload));
    expect(await colorAt(jpeg, 0.5, 0.5)).toBe("blue");
  });
});

describe("thumbnail as a file", () => {
  it("A thumbnail is a JPEG of quality 80", async () => {
    const upload = await account.upload("video.mp4", await encode("video.mp4", "testsrc=s=960x540:r=5:d=1.4", ...H264));
    const { jpeg } = await readThumbnail(await account.thumbnailOf(upload));
    expect(luminanceTable(jpeg).subarray(0, 8)).toEqual(Buffer.from(QUALITY_80));
  });

  it("A thumbnail shows the frame at one second, not the one before or after", async () => {
    const video = await encode("video.mp4", "testsrc2=s=960x540:r=25:d=2", ...H264);
    const upload = await account.upload("video.mp4", video);
    const { jpeg } = await readThumbnail(await account.thumbnailOf(upload));
    const pixels = await sharp(jpeg).raw().toBuffer();
    const differenceAt = async (seconds: string) => {
      const frame = await makeVideo("frame.png", "-ss", seconds, "-i", upload.url, "-frames:v", "1");
      const shown = await sharp(await sharp(frame).resize(640).jpeg({ quality: 80 }).toBuffer())
        .raw()
        .toBuffer();
      return pixels.reduce((sum, value, i) => sum + Math.abs(value - (shown[i] ?? 0)), 0) / pixels.length;
    };
    const [before, there, after] = await Promise.all(["0.96", "1", "1.04"].map(differenceAt));
    expect(there).toBeLessThan(Math.min(before ?? 0, after ?? 0) / 2);
  });
});

describe("cost of a thumbnail", () => {
  it("A thumbnail counts as storage until its video is deleted, and is deleted with it at once", async () => {
    const before = (await account.usage()).storageBytes;
    const upload = await account.upload("video.mp4", await encode("video.mp4", redThenBlue("640x360"), ...H264));
    const { jpeg } = await readThumbnail(await account.thumbnailOf(upload));
    await account.untilStored(before + upload.fileSize + jpeg.length);
    await account.delete(upload);
    expect((await account.usage()).storageBytes).toBe(before);
    for (const url of [upload.url, upload.thumbnailUrl]) {
      const gone = await fetch(url);
      expect(gone.status).toBe(404);
      expect(gone.headers.get("Cache-Control")).toBe("no-store");
    }
  });

  it("A thumbnail of a video that is deleted at once counts as no storage, in either order", async () => {
    const before = (await account.usage()).storageBytes;
    const video = await encode("video.mp4", redThenBlue("640x360"), ...H264);
    const uploads = await Promise.all(Array.from({ length: 6 }, () => account.upload("video.mp4", video)));
    // Times of the deletion: from at once to about the time of the thumbnail.
    for (const upload of uploads) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      await account.delete(upload);
    }
    await account.untilStored(before);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect((await account.usage()).storageBytes).toBe(before);
    for (const { thumbnailUrl } of uploads) expect((await fetch(thumbnailUrl, { method: "HEAD" })).status).toBe(404);
  });

  it("A thumbnail counts as no operation, although the video is read for it", async () => {
    const settle = () => new Promise((resolve) => setTimeout(resolve, VIEWS_MS));
    await settle();
    const before = (await account.usage()).operations;
    const upload = await account.upload("video.mp4", await encode("video.mp4", redThenBlue("640x360"), ...H264));
    const thumbnail = await account.thumbnailOf(upload);
    await thumbnail.arrayBuffer();
    await settle();
    // One operation is the upload, and a tenth is the one view that fetched the thumbnail.
    expect((await account.usage()).operations).toBeCloseTo(before + 1.1, 5);
  });
});
