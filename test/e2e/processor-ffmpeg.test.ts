import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { receive } from "../support/processor/picture.ts";
import { Processor, reasonOf } from "../support/processor/processor.ts";
import { SourceServer } from "../support/processor/source.ts";
import { encode } from "../support/processor/videos.ts";

// THUMB-3: 422 is permanent, 5xx is retried. Faults of ffmpeg or its machine do not count as the video's.

const MP4 = "video/mp4";
const MIB = 1024 * 1024;
const H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

let source: SourceServer;
let folder: string;
let url: string;

beforeAll(async () => {
  source = await SourceServer.start();
  folder = await mkdtemp(join(tmpdir(), "processor-ffmpeg-"));
  url = source.serve("video.mp4", await encode("video.mp4", "testsrc2=s=320x180:r=10:d=2", ...H264));
});

afterEach(() => source.forget());

afterAll(async () => {
  await source?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

const start = (env: Record<string, string>) => Processor.start({ SOURCE_ORIGINS: source.url, ...env });

/** A program in place of ffmpeg. */
async function program(name: string, content: string, mode = 0o755): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

/** A program that starts with the same output as ffmpeg. */
const script = (name: string, end: string) => program(name, `#!/bin/sh\necho 'ffmpeg version 0' >&2\n${end}\n`);

describe("ffmpeg that does not run", () => {
  it.each([
    ["it is not there", async () => "/nonexistent/ffmpeg"],
    ["it may not be executed", () => program("plain", "#!/bin/sh\n", 0o644)],
    ["it is a folder", async () => folder],
    ["it is of another machine", () => program("foreign", "\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0")],
    [
      "its libraries are not there",
      () => program("bare", "#!/bin/sh\necho 'cannot open shared object' >&2\nexit 127\n"),
    ],
    [
      "it gets no threads",
      () => script("alone", "echo 'Error while opening decoder: Resource temporarily unavailable' >&2"),
    ],
    [
      "it gets no threads for the streams",
      () =>
        script(
          "starved",
          "printf 'Input #0, mov\\nStream mapping:\\n  #0\\nError : Resource temporarily unavailable\\n' >&2",
        ),
    ],
    ["it ends at once", () => program("short", "#!/bin/sh\nexit 1\n")],
  ])("A thumbnail is retried later without a working ffmpeg: %s", async (_, make) => {
    await using processor = await start({ FFMPEG_PATH: await make() });
    const response = await processor.thumbnail({ source: url, type: MP4 });
    expect(response.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await reasonOf(response, 503)).toMatch(/cannot (be started|run)/);
    expect(await processor.countChildren()).toBe(0);
  });
});

describe("ffmpeg that starts", () => {
  it("A message about a file does not make a working ffmpeg count as broken", async () => {
    const forged = "x: Resource temporarily unavailable\\n";
    const tells = `printf '${forged}Input #0, mov\\n${forged}Stream mapping:\\n  #0\\nNothing came of it\\n' >&2`;
    await using processor = await start({ FFMPEG_PATH: await script("tells", tells) });
    expect(await reasonOf(await processor.thumbnail({ source: url, type: MP4 }), 422)).toMatch(/no frame/);
  });
});

describe("ffmpeg that a signal ends", () => {
  it("An ffmpeg that the system killed for lack of memory is tried again", async () => {
    await using processor = await start({ FFMPEG_PATH: await script("killed", "kill -KILL $$") });
    const response = await processor.thumbnail({ source: url, type: MP4 });
    expect(response.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await reasonOf(response, 503)).toMatch(/killed/);
  });

  it.each(["SEGV", "ABRT", "BUS", "ILL", "FPE"])("An ffmpeg that crashed (%s) is not tried again", async (signal) => {
    await using processor = await start({ FFMPEG_PATH: await script(signal, `kill -${signal} $$`) });
    expect(await reasonOf(await processor.thumbnail({ source: url, type: MP4 }), 422)).toBe(
      `ffmpeg crashed (SIG${signal})`,
    );
  });
});

/** A busy machine may give a program little time. */
const ON_A_BUSY_MACHINE = { SLOW_VIDEO_PERCENT: "1" };

describe("ffmpeg beyond its limits", () => {
  it("An ffmpeg beyond its time is ended, even if it ignores signals", async () => {
    const stubborn = await script("stubborn", "trap '' TERM INT HUP\nwhile :; do sleep 0.1; done");
    await using processor = await start({ FFMPEG_PATH: stubborn, THUMBNAIL_TIMEOUT_SECONDS: "1" });
    const started = performance.now();
    expect(await reasonOf(await processor.thumbnail({ source: url, type: MP4 }), 504)).toMatch(/too long/);
    expect(performance.now() - started).toBeLessThan(6000);
    expect(await processor.countChildren()).toBe(0);
  });

  it("An ffmpeg that worked for most of its time is not tried again", async () => {
    const busy = await script("busy", "while :; do :; done");
    await using processor = await start({ FFMPEG_PATH: busy, THUMBNAIL_TIMEOUT_SECONDS: "2", ...ON_A_BUSY_MACHINE });
    expect(await reasonOf(await processor.thumbnail({ source: url, type: MP4 }), 422)).toMatch(/too long to decode/);
  });

  it("An ffmpeg that worked over several runs is not tried again", async () => {
    // It reports a video, looks for a frame for two seconds, and finds none.
    const work = "sleep 2 >/dev/null 2>&1 & while kill -0 $! 2>/dev/null; do :; done";
    const vain = await script("vain", `echo 'Input #0, mov' >&2\n${work}`);
    await using processor = await start({ FFMPEG_PATH: vain, THUMBNAIL_TIMEOUT_SECONDS: "3", ...ON_A_BUSY_MACHINE });
    expect(await reasonOf(await processor.thumbnail({ source: url, type: MP4 }), 422)).toMatch(/too long to decode/);
  });

  it("An ffmpeg with too much output is ended", async () => {
    await using processor = await start({ FFMPEG_PATH: await script("flood", "exec cat /dev/zero") });
    expect(await reasonOf(await processor.thumbnail({ source: url, type: MP4 }), 422)).toMatch(/too large/);
    expect(await processor.countChildren()).toBe(0);
  });

  it("An ffmpeg with too many messages is read no further and ended", async () => {
    const chatter = await script("chatter", "head -c 50000000 /dev/zero >&2");
    await using processor = await start({ FFMPEG_PATH: chatter });
    expect(await reasonOf(await processor.thumbnail({ source: url, type: MP4 }), 422)).toMatch(/no video/);
  });

  it("An ffmpeg beyond its memory makes no thumbnail, and the reason is reported", async () => {
    // One frame of 8K takes 50 of the 96 MB, and ffmpeg needs more than the rest. So it never has a frame, whichever thread is first.
    const large = source.serve("large.mp4", await encode("large.mp4", "testsrc2=s=7680x4320:r=2:d=2", ...H264));
    await using processor = await start({ CHILD_MEMORY_BYTES: String(96 * MIB) });
    expect(await reasonOf(await processor.thumbnail({ source: large, type: MP4 }), 422)).toMatch(/memory/);
    await receive(await processor.thumbnail({ source: url, type: MP4 }));
  });

  it("An ffmpeg without memory for a thread reports it", async () => {
    const words =
      "Stream mapping:\\n  #0\\nget_buffer() failed\\nError while filtering: Resource temporarily unavailable\\n";
    const full = await script("full", `printf 'Input #0, mov\\n${words}' >&2`);
    await using processor = await start({ FFMPEG_PATH: full });
    expect(await reasonOf(await processor.thumbnail({ source: url, type: MP4 }), 422)).toMatch(/memory/);
  });

  it("An ffmpeg writes no files", async () => {
    const writer = await script("writer", `head -c 1000000 /dev/zero > ${join(folder, "written")}\nexit 1`);
    await using processor = await start({ FFMPEG_PATH: writer });
    await reasonOf(await processor.thumbnail({ source: url, type: MP4 }), 422);
    expect(await processor.listFiles()).toEqual([]);
  });

  it("An ffmpeg gets nothing of the processor's environment", async () => {
    const teller = await script("teller", '[ -z "$SECRET" ] && kill -SEGV $$');
    await using processor = await start({ FFMPEG_PATH: teller, SECRET: "hunter2" });
    expect(await reasonOf(await processor.thumbnail({ source: url, type: MP4 }), 422)).toMatch(/SIGSEGV/);
  });
});

describe("ffmpeg of a killed processor", () => {
  it("An ffmpeg whose processor was killed ends automatically", async () => {
    source.handle(() => undefined);
    await using processor = await start({});
    const request = processor.thumbnail({ source: url, type: MP4 }).catch(() => "broken off");
    await processor.untilChildren(1);
    const [pid = 0] = await processor.listChildren();
    await processor.kill();
    expect(await request).toBe("broken off");
    await expect.poll(() => isAlive(pid), { timeout: 20_000, interval: 50 }).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
