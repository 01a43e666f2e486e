import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Processor, reasonOf } from "../support/processor/processor.ts";
import { SourceServer } from "../support/processor/source.ts";
import { encode } from "../support/processor/videos.ts";

const MP4 = "video/mp4";
const H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

// Cloudflare Containers, "Rollouts": SIGTERM, then 15 minutes until the end.

let source: SourceServer;
let url: string;

beforeAll(async () => {
  source = await SourceServer.start();
  url = source.serve("video.mp4", await encode("video.mp4", "testsrc=s=320x180:r=5:d=1.4", ...H264));
});

afterEach(() => source.forget());
afterAll(() => source[Symbol.asyncDispose]());

/** A processor that works on a thumbnail. Its source answers only when the test releases it. */
async function atWork() {
  const processor = await Processor.start({ SOURCE_ORIGINS: source.url });
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  source.handle(async (request, response, path) => {
    ask();
    await released;
    source.answerRange(request, response, path);
  });
  const job = processor.thumbnail({ source: url, type: MP4 });
  await asked;
  return { processor, job, release };
}

describe("SIGTERM", () => {
  it("SIGTERM ends an idle processor at once", async () => {
    await using processor = await Processor.start();
    await (await fetch(`${processor.url}/health`)).json();
    const { exitCode, seconds } = await processor.stop("SIGTERM");
    expect(exitCode).toBe(0);
    // A connection that is kept alive would hold it for five.
    expect(seconds).toBeLessThan(4);
  });

  it("SIGTERM lets a running job end and refuses new jobs, which run elsewhere", async () => {
    const { processor, job, release } = await atWork();
    await using _ = processor;
    const ended = processor.stop("SIGTERM");
    await expect.poll(async () => (await fetch(`${processor.url}/health`)).status).toBe(503);
    const refused = await processor.thumbnail({ source: url, type: MP4 });
    expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await reasonOf(refused, 503)).toBe("shutting down");
    release();
    const answer = await job;
    expect(answer.status).toBe(200);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.length).toBe(Number(answer.headers.get("Content-Length")));
    const { exitCode } = await ended;
    expect(exitCode).toBe(0);
    expect(await processor.listFiles()).toEqual([]);
  });

  it("A second SIGTERM ends the processor without waiting", async () => {
    const { processor, job } = await atWork();
    await using _ = processor;
    const broken = job.catch(() => "broken off");
    const first = processor.stop("SIGTERM");
    await expect.poll(async () => (await fetch(`${processor.url}/health`)).status).toBe(503);
    const { exitCode, seconds } = await processor.stop("SIGTERM");
    expect(exitCode).toBe(0);
    expect(seconds).toBeLessThan(4);
    await first;
    expect(await broken).toBe("broken off");
  });
});
