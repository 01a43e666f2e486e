import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readThumbnail, VideoAccount } from "../support/processor/account.ts";
import { AVI, H264, MOV, MP4, redThenBlue, WEBM } from "../support/processor/codecs.ts";
import { aviWithSubtitles } from "../support/processor/hostile.ts";
import { colorAt } from "../support/processor/picture.ts";
import { SourceServer } from "../support/processor/source.ts";
import { encode, makeVideo } from "../support/processor/videos.ts";
import { Stack } from "../support/stack/stack.ts";
import type { UploadResult } from "../support/uploads/upload-result.ts";

// THUMB-4: videos with an unsupported codec get no thumbnail, and are stored at no further cost.

const VP8 = ["-c:v", "libvpx", "-deadline", "realtime"];
const CONTAINERS = [
  [MP4, "video.mp4", H264],
  [MOV, "video.mov", H264],
  [WEBM, "video.webm", VP8],
  [AVI, "video.avi", ["-c:v", "mpeg4"]],
] as const;
/** Longer than the delay before a message's first retry. */
const RETRY_MS = 4500;
/** One run at one second, then one at the beginning. */
const RUNS_PER_FILE = 2;

let stack: Stack;
let account: VideoAccount;
let folder: string;
/** A server that must get no request. */
let neighbour: SourceServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "thumbnails-bad-files-"));
  neighbour = await SourceServer.start();
  stack = await Stack.start({ FFMPEG_PATH: await countedFfmpeg() });
  account = await VideoAccount.of(stack);
});

afterAll(async () => {
  await stack?.dispose();
  await neighbour?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

/** An ffmpeg that leaves a folder behind for each run, because it must not write files. */
async function countedFfmpeg(): Promise<string> {
  await mkdir(join(folder, "runs"));
  const path = join(folder, "ffmpeg");
  await writeFile(path, `#!/bin/sh\nmkdir "${folder}/runs/$$-$(date +%s%N)"\nexec ffmpeg "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

const countRuns = async () => (await readdir(join(folder, "runs"))).length;

/** The video is stored and served as it is. Its thumbnail does not exist and was never counted. */
async function expectStoredWithout(upload: UploadResult & { thumbnailUrl: string }, bytes: Buffer): Promise<void> {
  await account.untilFailed(upload);
  expect((await account.find(upload)).size).toEqual({ width: 0, height: 0 });
  expect((await fetch(upload.thumbnailUrl, { method: "HEAD" })).status).toBe(404);
  const served = await fetch(upload.url);
  expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
}

function noise(sizeBytes: number): Buffer {
  return Buffer.from(Array.from({ length: sizeBytes }, (_, i) => (i * i * 31 + (i >> 3) * 7) & 255));
}

describe("files without a frame", () => {
  it.each(CONTAINERS)("A file without a frame is stored without a thumbnail: %s", async (type, name, args) => {
    const whole = await encode(name, redThenBlue("320x180"), ...args);
    const head = whole.subarray(0, 256);
    const bad = [
      ["broken off in its beginning", whole.subarray(0, 300)],
      ["garbage after its first bytes", Buffer.concat([head, noise(100_000)])],
      ["nothing after its first bytes", Buffer.concat([head, Buffer.alloc(100_000)])],
    ] as const;
    const [runsBefore, { storageBytes }] = [await countRuns(), await account.usage()];
    for (const [, bytes] of bad) {
      const upload = await account.upload(name, bytes);
      expect(upload.mimeType).toBe(type);
      await expectStoredWithout(upload, bytes);
      expect(await account.find(upload)).toMatchObject({ thumbnail: "failed" });
    }
    const sizeBytes = bad.reduce((sum, [, bytes]) => sum + bytes.length, 0);
    expect((await account.usage()).storageBytes).toBe(storageBytes + sizeBytes);
    expect((await countRuns()) - runsBefore).toBeLessThanOrEqual(RUNS_PER_FILE * bad.length);
  });

  it.each(["mp4", "mov"])("A %s that is cut off before its index is stored without a thumbnail", async (extension) => {
    const whole = await encode(`video.${extension}`, redThenBlue("320x180"), ...H264);
    const bytes = whole.subarray(0, whole.length * 0.7);
    await expectStoredWithout(await account.upload(`video.${extension}`, bytes), bytes);
  });

  it("An MP4 that has only sound is stored without a thumbnail", async () => {
    const bytes = await makeVideo("sound.mp4", "-f", "lavfi", "-i", "sine=d=2", "-c:a", "aac");
    const upload = await account.upload("sound.mp4", bytes);
    await expectStoredWithout(upload, bytes);
    expect(await account.find(upload)).toMatchObject({ thumbnail: "none", thumbnailReason: "no_video" });
  });

  it("An MP4 with a stream but no frames is stored without a thumbnail", async () => {
    const flags = ["-movflags", "frag_keyframe+empty_moov+default_base_moof"];
    const stream = await encode("stream.mp4", redThenBlue("320x180"), ...H264, ...flags);
    const bytes = stream.subarray(0, stream.indexOf("moof") - 4);
    const upload = await account.upload("init.mp4", bytes);
    await expectStoredWithout(upload, bytes);
    expect(await account.find(upload)).toMatchObject({ thumbnail: "none", thumbnailReason: "no_frames" });
  });

  it("A file without a frame is not tried again", async () => {
    const runs = await countRuns();
    expect(runs).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    expect(await countRuns()).toBe(runs);
  });
});

describe("files that are cut off later", () => {
  it.each(CONTAINERS.slice(2))(
    "A file that is cut off later has a thumbnail of its remaining part: %s",
    async (_, name, args) => {
      const whole = await encode(name, redThenBlue("320x180"), ...args);
      const upload = await account.upload(name, whole.subarray(0, whole.length * 0.9));
      const { jpeg } = await readThumbnail(await account.thumbnailOf(upload));
      expect(["red", "blue"]).toContain(await colorAt(jpeg, 0.5, 0.5));
    },
  );
});

describe("playlists of other hosts and local files", () => {
  const playlist = () =>
    `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\n${neighbour.url}/video.ts\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n`;

  it("A playlist is no video under any name", async () => {
    const answer = await account.tryUpload("video.avi", Buffer.from(playlist()), AVI);
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({
      error: "Only images and videos are allowed",
      code: "unsupported_media_type",
    });
  });

  it("A playlist after an AVI's first bytes is not followed", async () => {
    const head = Buffer.from("RIFF\xff\xff\0\0AVI LIST\xff\xff\0\0", "latin1");
    const bytes = Buffer.concat([head, Buffer.from(`\n${playlist()}`)]);
    await expectStoredWithout(await account.upload("playlist.avi", bytes), bytes);
    expect(neighbour.requests).toEqual([]);
  });

  it("A playlist in an AVI's subtitles is not followed, and the AVI's pictures are shown", async () => {
    const background = { width: 320, height: 180, channels: 3, background: "#00f" } as const;
    const frame = await sharp({ create: background }).jpeg().toBuffer();
    const pictures = { width: 320, height: 180, frames: Array.from({ length: 20 }, () => frame) };
    const upload = await account.upload("subtitles.avi", aviWithSubtitles(pictures, playlist()));
    const { jpeg } = await readThumbnail(await account.thumbnailOf(upload));
    expect(await colorAt(jpeg, 0.5, 0.5)).toBe("blue");
    expect(neighbour.requests).toEqual([]);
  });
});
