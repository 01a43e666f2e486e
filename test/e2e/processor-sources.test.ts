import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { colorAt, receive } from "../support/processor/picture.ts";
import { Processor, reasonOf } from "../support/processor/processor.ts";
import { SourceServer } from "../support/processor/source.ts";
import { encode, spread } from "../support/processor/videos.ts";

// THUMB-3: ffmpeg reads by ranges, so the cost does not grow with the file. Permanent failures differ from temporary ones. A hostile file
// or source reaches nothing else.

const MP4 = "video/mp4";
const TYPES = [MP4, "video/quicktime", "video/webm", "video/x-msvideo"];
/** The timeout tests' limit. The other tests' processor has the usual timeout, which a busy machine needs. */
const TIMEOUT_SECONDS = 6;

let processor: Processor;
let source: SourceServer;
/** A server that must get no request. */
let neighbour: SourceServer;
let video: Buffer;
let url: string;

beforeAll(async () => {
  source = await SourceServer.start();
  neighbour = await SourceServer.start();
  processor = await Processor.start({
    SOURCE_ORIGINS: source.url,
    MAX_CONCURRENCY: "2",
    MAX_WAITING: "4",
  });
  const colors = "color=red:s=1280x720:r=25:d=1[a];color=blue:s=1280x720:r=25:d=3[b];[a][b]concat,noise=alls=20:allf=t";
  video = await encode("video.mp4", colors, "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p");
  url = source.serve("video.mp4", video);
});

afterEach(async () => {
  expect(neighbour.requests).toEqual([]);
  expect(await processor.listFiles()).toEqual([]);
  await processor.untilChildren(0, 1000);
  source.forget();
});

afterAll(async () => {
  await processor?.[Symbol.asyncDispose]();
  await source?.[Symbol.asyncDispose]();
  await neighbour?.[Symbol.asyncDispose]();
});

const startImpatient = () =>
  Processor.start({ SOURCE_ORIGINS: source.url, THUMBNAIL_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) });

const ask = (address = url, type = MP4) => processor.thumbnail({ source: address, type });

describe("reads of a source", () => {
  it("A thumbnail of a gigabyte with its index at the end reads little of the file", async () => {
    const gigabyte = 1024 ** 3;
    const { jpeg, durationSeconds } = await receive(await ask(source.serve("large.mp4", ...spread(video, gigabyte))));
    expect(await colorAt(jpeg, 0.5, 0.5)).toBe("blue");
    expect(durationSeconds).toBeCloseTo(4, 1);
    // A second of this video is 7.6 MB, and some is read ahead.
    expect(source.sentBytes).toBeLessThan(20_000_000);
  });

  it("A source is read in ranges that end, and no byte of it twice", async () => {
    await receive(await ask());
    expect(source.requests.length).toBeGreaterThan(0);
    for (const { range } of source.requests) expect(range).toMatch(/^bytes=\d+-\d+$/);
    const ranges = source.requests.map(({ range }) => (range?.slice(6) ?? "").split("-").map(Number));
    const sorted = ranges.sort(([a = 0], [b = 0]) => a - b);
    for (const [i, [start = 0]] of sorted.slice(1).entries()) expect(start).toBeGreaterThan(sorted[i]?.[1] ?? 0);
  });

  it("The bytes read of a source are limited, and a video that needs more is refused permanently", async () => {
    const limit = 300_000;
    await using other = await Processor.start({ SOURCE_ORIGINS: source.url, MAX_SOURCE_BYTES: String(limit) });
    expect(await reasonOf(await other.thumbnail({ source: url, type: MP4 }), 422)).toMatch(/too much/);
    expect(source.sentBytes).toBeLessThanOrEqual(limit);
  });

  it("The limit suffices for a fragmented movie without an index", async () => {
    const noise = "testsrc2=s=1280x720:r=25:d=20,noise=alls=60:allf=t";
    const parts = ["-g", "5", "-movflags", "frag_keyframe+empty_moov"];
    const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
    const fragmented = await encode("parts.mp4", noise, ...x264, ...parts);
    const limit = 32_000_000;
    expect(fragmented.length).toBeGreaterThan(2 * limit);
    await using other = await Processor.start({ SOURCE_ORIGINS: source.url, MAX_SOURCE_BYTES: String(limit) });
    const address = source.serve("parts.mp4", fragmented);
    const { videoWidth } = await receive(await other.thumbnail({ source: address, type: MP4 }));
    expect(videoWidth).toBe(1280);
    expect(source.sentBytes).toBeLessThanOrEqual(limit);
  });
});

describe("sources that fail", () => {
  it.each([
    [404, 502, /404/],
    [410, 502, /410/],
    [403, 502, /403/],
    [429, 502, /429/],
    [500, 502, /500/],
    [503, 502, /503/],
    [200, 502, /200/],
  ])("A source that fails with %i is answered with %i", async (status, expected, reason) => {
    source.handle((_, response) => void response.writeHead(status).end("something"));
    expect(await reasonOf(await ask(), expected)).toMatch(reason);
  });

  it("A source that fails in the middle makes the thumbnail fail temporarily, not permanently", async () => {
    const address = source.serve("large.mp4", ...spread(video, 1e8));
    let requests = 0;
    source.handle((request, response, path) => {
      if (++requests === 1) source.answerRange(request, response, path);
      else response.writeHead(500).end();
    });
    expect(await reasonOf(await ask(address), 502)).toMatch(/500/);
  });

  it("A source that refuses the connection makes the thumbnail fail temporarily", async () => {
    const gone = await SourceServer.start();
    await gone[Symbol.asyncDispose]();
    await using other = await Processor.start({ SOURCE_ORIGINS: gone.url });
    expect(await reasonOf(await other.thumbnail({ source: `${gone.url}/a`, type: MP4 }), 502)).toMatch(/reached/);
  });

  it.each([
    ["breaking off", { "Content-Range": "bytes 0-99/100", "Content-Length": "100" }],
    ["sending more than announced", { "Content-Range": "bytes 0-3/4" }],
    ["sending another range", { "Content-Range": "bytes 50-99/100" }],
    ["naming no range", {}],
    ["naming an impossible range", { "Content-Range": "bytes 9-0/100" }],
  ])("A source that fails by %s makes the thumbnail fail temporarily", async (_, headers) => {
    source.handle((__, response) => {
      response.writeHead(206, headers);
      response.write("eight...");
      setTimeout(() => response.destroy(), 50);
    });
    await reasonOf(await ask(), 502);
  });

  it("A source that never answers is given up after a while", async () => {
    source.handle(() => undefined);
    await using impatient = await startImpatient();
    const started = performance.now();
    expect(await reasonOf(await impatient.thumbnail({ source: url, type: MP4 }), 502)).toMatch(/too slow/);
    expect(performance.now() - started).toBeLessThan((TIMEOUT_SECONDS + 4) * 1000);
  });

  it("A source that sends a byte now and then is given up, too", async () => {
    source.handle((_, response) => {
      response.writeHead(206, { "Content-Range": "bytes 0-99999/100000", "Content-Length": "100000" });
      const timer = setInterval(() => response.write("x"), 100);
      response.once("close", () => clearInterval(timer));
    });
    await using impatient = await startImpatient();
    expect(await reasonOf(await impatient.thumbnail({ source: url, type: MP4 }), 502)).toMatch(/too slow/);
  });
});

describe("sources that lead elsewhere", () => {
  it.each([301, 302, 303, 307, 308])("A source's redirect (%i) is not followed", async (status) => {
    const elsewhere = neighbour.serve("video.mp4", video);
    source.handle((_, response) => void response.writeHead(status, { Location: elsewhere }).end());
    expect(await reasonOf(await ask(), 502)).toMatch(String(status));
  });

  it("A source's redirect in the middle is not followed", async () => {
    const address = source.serve("large.mp4", ...spread(video, 1e8));
    let requests = 0;
    source.handle((request, response, path) => {
      if (++requests === 1) source.answerRange(request, response, path);
      else response.writeHead(302, { Location: neighbour.serve("large.mp4", video) }).end();
    });
    expect(await reasonOf(await ask(address), 502)).toMatch(/302/);
  });

  const playlists = (elsewhere: string) => [
    `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nfile:///etc/passwd\n#EXTINF:1,\n${elsewhere}\n#EXT-X-ENDLIST\n`,
    `#EXTM3U\n#EXTINF:1,\nconcat:${elsewhere}|file:///etc/passwd\n`,
    `ffconcat version 1.0\nfile ${elsewhere}\nfile /etc/passwd\n`,
    `<?xml version="1.0"?><MPD><Period><AdaptationSet><BaseURL>${elsewhere}</BaseURL></AdaptationSet></Period></MPD>`,
    `v=0\nc=IN IP4 ${elsewhere}\nm=video 9 RTP/AVP 96\n`,
    `rtsptextRTSP ${elsewhere}\n`,
    `[Reference]\nRef1=${elsewhere}\n`,
  ];

  it.each(TYPES)("A playlist that claims to be %s fetches nothing", async (type) => {
    for (const playlist of playlists(neighbour.serve("video.ts", video))) {
      expect(await reasonOf(await ask(source.serve("video", Buffer.from(playlist)), type), 422)).toMatch(/no video/);
    }
  });

  it("A movie that names another file fetches nothing", async () => {
    // dref: the entry for "in this file" becomes one for another file (ISO/IEC 14496-12, 8.7.2).
    const elsewhere = Buffer.from(`${neighbour.serve("video.mp4", video)}\0`);
    const entry = video.indexOf("url \0\0\0\x01");
    for (const name of ["url ", "alis"]) {
      const movie = Buffer.from(video);
      movie.write(`${name}\0\0\0\0`, entry, "latin1");
      const response = await ask(source.serve("dref.mp4", movie, elsewhere));
      expect([200, 422]).toContain(response.status);
    }
  });
});

describe("many thumbnails at once", () => {
  it("Many thumbnails are made a few at a time, and requests that would wait too long are refused", async () => {
    const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
    const small = source.serve("small.mp4", await encode("small.mp4", "testsrc2=s=320x180:r=10:d=2", ...h264));
    let most = 0;
    const watch = setInterval(async () => {
      most = Math.max(most, await processor.countChildren());
    }, 20);
    const two = processor.untilChildren(2);
    source.handle(async (request, response, path) => {
      await two;
      await new Promise((done) => setTimeout(done, 300));
      source.answerRange(request, response, path);
    });
    const responses = await Promise.all(Array.from({ length: 8 }, () => ask(small)));
    clearInterval(watch);
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 503, 503]);
    expect(responses.find(({ status }) => status === 503)?.headers.get("Retry-After")).toMatch(/^\d+$/);
    await two;
    expect(most).toBeLessThanOrEqual(2);
    await Promise.all(responses.map((response) => response.arrayBuffer()));
  });

  it("Many thumbnails end with their clients, also those in the queue", async () => {
    source.handle(() => undefined);
    const gone = new AbortController();
    const requests = Array.from({ length: 4 }, () => processor.thumbnail({ source: url, type: MP4 }, gone.signal));
    const settled = Promise.allSettled(requests);
    await processor.untilChildren(2);
    gone.abort();
    await settled;
    await processor.untilChildren(0, 1000);
    source.forget();
    await receive(await ask());
  });

  it("Many thumbnails end with the processor, which leaves nothing behind", async () => {
    source.handle(() => undefined);
    await using other = await Processor.start({ SOURCE_ORIGINS: source.url, MAX_CONCURRENCY: "2" });
    const requests = [1, 2, 3].map(() => other.thumbnail({ source: url, type: MP4 }));
    const settled = Promise.allSettled(requests);
    await other.untilChildren(2);
    const { exitCode, seconds } = await other.stop();
    expect(exitCode).toBe(0);
    expect(seconds).toBeLessThan(4);
    for (const { status } of await settled) expect(status).toBe("rejected");
    expect(await other.listFiles()).toEqual([]);
  });
});
