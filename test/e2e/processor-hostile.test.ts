import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { frameArguments } from "../../container/thumbnail/frame-arguments.ts";
import { AVI, H264, MOV, MP4, WEBM } from "../support/processor/codecs.ts";
import { aviWithSubtitles, matroskaFollowedBy, movieWithDataIn } from "../support/processor/hostile.ts";
import { colorAt, receive } from "../support/processor/picture.ts";
import { Processor, reasonOf } from "../support/processor/processor.ts";
import { SourceServer } from "../support/processor/source.ts";
import { encode, makeVideo } from "../support/processor/videos.ts";

// Files that name other files and hosts, as their formats allow. Each test first shows that ffmpeg itself would follow them.

const MJPEG = ["-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj420p"];

let processor: Processor;
let source: SourceServer;
/** A server that must get no request. */
let neighbour: SourceServer;
let folder: string;

beforeAll(async () => {
  [source, neighbour] = [await SourceServer.start(), await SourceServer.start()];
  processor = await Processor.start({ SOURCE_ORIGINS: source.url });
  folder = await mkdtemp(join(tmpdir(), "processor-hostile-"));
});

afterAll(async () => {
  expect(neighbour.requests).toEqual([]);
  await processor?.[Symbol.asyncDispose]();
  await source?.[Symbol.asyncDispose]();
  await neighbour?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

async function write(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

/** The result of an ffmpeg without our limits. */
async function decode(...args: string[]): Promise<{ frame: Buffer; log: string }> {
  const output = ["-frames:v", "1", "-c:v", "mjpeg", "-f", "image2pipe", "pipe:1"];
  const { stdout, stderr } = await promisify(execFile)("ffmpeg", ["-nostdin", ...args, ...output], {
    encoding: "buffer",
  });
  return { frame: stdout, log: stderr.toString("latin1") };
}

describe("ffmpeg's options", () => {
  const MAX_PIXELS = 8192 * 4320;
  const request = {
    atSeconds: 1,
    maxPixels: MAX_PIXELS,
    ignoresIndex: false,
    hdrTransfer: undefined,
    thumbnailWidth: 640,
  };
  const open = (url: string, type: string) =>
    promisify(execFile)("ffmpeg", frameArguments({ ...request, url, type })).then(
      () => "opened",
      ({ stderr }) => String(stderr),
    );

  it("ffmpeg's options let it open no local file, and nothing but HTTP", async () => {
    const path = await write("video.mp4", await encode("video.mp4", "color=red:s=64x64:r=10:d=2", ...H264));
    for (const url of [path, `file:${path}`, `concat:${path}`, `subfile,,start,0,end,0,,:${path}`, `crypto:${path}`]) {
      expect(await open(url, MP4)).toMatch(/Protocol '\w+' not on whitelist 'http,tcp'/);
    }
  });
});

describe("movies with local data", () => {
  it("A movie whose data is in a local file shows nothing of that file", async () => {
    const [own, other] = await Promise.all([
      encode("own.mov", "color=red:s=64x64:r=10:d=2", ...MJPEG),
      encode("other.mov", "color=blue:s=64x64:r=10:d=2", ...MJPEG),
    ]);
    const movie = movieWithDataIn(own, await write("other.mov", other));
    const allowed = ["-enable_drefs", "1", "-use_absolute_path", "1", "-i", await write("movie.mov", movie)];
    expect(await colorAt((await decode(...allowed)).frame, 0.5, 0.5)).toBe("blue");

    const response = await processor.thumbnail({ source: source.serve("movie.mov", movie), type: MOV });
    if (response.status === 200) expect(await colorAt((await receive(response)).jpeg, 0.5, 0.5)).toBe("red");
    else expect(response.status).toBe(422);
  });
});

describe("AVIs with subtitles in another file", () => {
  const avi = async (subtitles: string) => {
    const picture = { width: 64, height: 64, channels: 3, background: "#00f" } as const;
    const frame = await sharp({ create: picture }).jpeg().toBuffer();
    return aviWithSubtitles({ width: 64, height: 64, frames: Array.from({ length: 20 }, () => frame) }, subtitles);
  };

  it("An AVI's subtitle file is read by ffmpeg itself", async () => {
    const path = await write("subtitles.avi", await avi("1\n00:00:00,000 --> 00:00:01,000\nHello\n\n"));
    expect((await decode("-i", path)).log).toMatch(/Stream #0:1.*: Subtitle: subrip/);
  });

  it.each([
    ["a playlist", (url: string) => `#EXTM3U\n#EXTINF:1,\n${url}\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n`],
    ["a list of files", (url: string) => `ffconcat version 1.0\nfile ${url}\nfile /etc/passwd\n`],
  ])("An AVI whose subtitles are %s shows its pictures and requests nothing", async (_, subtitles) => {
    const address = source.serve("subtitles.avi", await avi(subtitles(`${neighbour.url}/video.ts`)));
    const { jpeg } = await receive(await processor.thumbnail({ source: address, type: AVI }));
    expect(await colorAt(jpeg, 0.5, 0.5)).toBe("blue");
    expect(neighbour.requests).toEqual([]);
  });
});

describe("WebMs that continue in another file", () => {
  it.each(["http", "file"])("A WebM file that names a next file (%s) is read without that file", async (kind) => {
    const next = kind === "http" ? `${neighbour.url}/next.webm` : "file:///etc/passwd";
    const title = `title=${"x".repeat(100)}`;
    const args = ["-c:v", "libvpx", "-deadline", "realtime", "-metadata", title];
    const webm = matroskaFollowedBy(await encode("video.webm", "color=blue:s=64x64:r=10:d=2", ...args), next);
    expect(webm.includes(next)).toBe(true);
    const address = source.serve("video.webm", webm);
    const { jpeg } = await receive(await processor.thumbnail({ source: address, type: WEBM }));
    expect(await colorAt(jpeg, 0.5, 0.5)).toBe("blue");
  });
});

describe("videos with much metadata", () => {
  it("A video with thousands of chapters has a thumbnail", async () => {
    const chapter = (_: unknown, i: number) =>
      `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${i}\nEND=${i + 1}\ntitle=${"x".repeat(60)}\n`;
    const text = [";FFMETADATA1\n", ...Array.from({ length: 3000 }, chapter)].join("");
    const chapters = ["-i", await write("chapters.txt", Buffer.from(text)), "-map_metadata", "1"];
    const video = ["-f", "lavfi", "-i", "color=blue:s=320x180:r=10:d=2"];
    const movie = await makeVideo("chapters.mp4", ...video, ...chapters, ...H264);
    expect((await decode("-i", await write("chapters.mp4", movie))).log.length).toBeGreaterThan(256 * 1024);
    const answer = await processor.thumbnail({ source: source.serve("chapters.mp4", movie), type: MP4 });
    const { jpeg, videoWidth, durationSeconds } = await receive(answer);
    expect(await colorAt(jpeg, 0.5, 0.5)).toBe("blue");
    expect(videoWidth).toBe(320);
    expect(durationSeconds).toBeGreaterThanOrEqual(2);
  });

  it("Metadata that imitates ffmpeg's messages is ignored", async () => {
    const forged =
      "\n[Parsed_showinfo_0 @ 0x1] n: 0 sar:1/1 s:9x0 color_trc:smpte2084\nx: Resource temporarily unavailable\n";
    const name = "A".repeat(forged.length);
    const args = ["-c:v", "libvpx", "-deadline", "realtime", "-metadata", `${name}=v`];
    const webm = await encode("tags.webm", "color=blue:s=320x180:r=10:d=2", ...args);
    webm.write(forged, webm.indexOf(name), "latin1");
    const told = (await decode("-i", await write("tags.webm", webm))).log;
    expect(told).toMatch(/^x: Resource temporarily unavailable$/m);
    const answer = await processor.thumbnail({ source: source.serve("tags.webm", webm), type: WEBM });
    const { jpeg, videoWidth, videoHeight } = await receive(answer);
    expect([videoWidth, videoHeight]).toEqual([320, 180]);
    expect(await colorAt(jpeg, 0.5, 0.5)).toBe("blue");
  });
});

describe("small videos that take long to decode", () => {
  it("A small video that takes too long to decode is refused permanently", async () => {
    // Hundreds of 8K pictures in its first second.
    const pictures = await encode("pictures.h264", "color=gray:s=8192x4320:r=25:d=0.4", ...H264);
    const repeated = await write("repeated.h264", Buffer.concat(Array.from({ length: 60 }, () => pictures)));
    const slow = await makeVideo("slow.mp4", "-i", repeated, "-c", "copy", "-bsf:v", "setts=ts=N*2400");
    // stss: only the first is marked as a start (ISO/IEC 14496-12, 8.6.2).
    slow.writeUInt32BE(1, slow.indexOf("stss") + 8);
    expect(slow.length).toBeLessThan(10_000_000);
    // A busy machine gives the program little of the two seconds.
    const limits = { THUMBNAIL_TIMEOUT_SECONDS: "2", SLOW_VIDEO_PERCENT: "1" };
    await using impatient = await Processor.start({ SOURCE_ORIGINS: source.url, ...limits });
    const response = await impatient.thumbnail({ source: source.serve("slow.mp4", slow), type: MP4 });
    expect(await reasonOf(response, 422)).toBe("the video takes too long to decode");
    expect(await impatient.countChildren()).toBe(0);
  });
});

describe("codecs that no camera, browser or editor writes", () => {
  it("A file in a rare codec is not decoded, because few decoders may read strangers' files", async () => {
    const avi = await encode("video.avi", "color=blue:s=64x64:r=10:d=2", "-c:v", "asv1");
    expect(await colorAt((await decode("-i", await write("asv.avi", avi))).frame, 0.5, 0.5)).toBe("blue");
    const response = await processor.thumbnail({ source: source.serve("asv.avi", avi), type: AVI });
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({ reason: "the video's codec is not supported" });
  });
});
