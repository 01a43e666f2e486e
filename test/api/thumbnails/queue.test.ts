import { describe, expect, it, vi } from "vitest";
import { backoffSeconds } from "../../../src/jobs/backoff.ts";
import configuration from "../../../wrangler.toml?raw";
import { replaceStores, restoreStores } from "../../support/api/account-state.ts";
import { openAccount } from "../../support/api/api.ts";
import { failingDatabases, failingStore } from "../../support/api/databases.ts";
import { impossible, JPEG_BYTES, made, type Processor } from "../../support/thumbnails/processor.ts";
import { deliver, deliverOne, message, type Sent, type StoredVideo, stored } from "../../support/thumbnails/queue.ts";
import { expectAccounted, storeVideo, thumbnailBytes, videoRow } from "../../support/thumbnails/state.ts";

/** The number of retries before this deployment's queue gives up a message. */
const MAX_RETRIES = Number(
  /queue = "media-host-uploads"\n(?:\w+ = .*\n|#.*\n)*?max_retries = (\d+)/.exec(configuration)?.[1],
);
/** Cloudflare Queues, "Limits". */
const MAX_RETRIES_OF_A_QUEUE = 100;
/** The time limit of one delivery. */
const MAX_CONSUMER_MS = 15 * 60_000;
const MAX_DELAY_SECONDS = 12 * 60 * 60;
const openVideo = async () => storeVideo((await openAccount()).id);

const ids = (sent: readonly Sent[]) => sent.map(({ id }) => id).sort();

describe("Temporary failures", () => {
  const failures: [string, Processor][] = [
    ...[400, 404, 408, 413, 429, 500, 502, 503, 504].map((status): [string, Processor] => [
      `an answer ${status}`,
      () => new Response("out of order", { status, headers: { "Retry-After": "5" } }),
    ]),
    ["a network that breaks", () => Promise.reject(new TypeError("Network connection lost."))],
    ["a processor that takes too long", () => Promise.reject(new DOMException("timed out", "TimeoutError"))],
    [
      "an answer that breaks off",
      () =>
        new Response(new ReadableStream({ pull: (stream) => stream.error(new Error("The connection broke")) }), {
          headers: { ...Object.fromEntries(made().headers) },
        }),
    ],
  ];

  it.each(failures)("A temporary failure (%s) is retried, and leaves no trace", async (_, processor) => {
    const video = await openVideo();
    expect(await deliverOne(stored(video), { processor })).toBe("retried");
    expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: null, thumbnail_error: null });
    expect(await thumbnailBytes(video)).toBe(0);
    await expectAccounted(video.accountId);
    expect(await deliverOne(stored(video, 2), { processor: () => made() })).toBe("acked");
    expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
  });

  it("A temporary failure is retried after twice the delay up to ten minutes, five hours in all", async () => {
    const video = await openVideo();
    expect(MAX_RETRIES).toBeLessThanOrEqual(MAX_RETRIES_OF_A_QUEUE);
    const delays: number[] = [];
    for (let attempt = 1; attempt <= MAX_RETRIES; attempt++) {
      const sent = stored(video, attempt);
      const delivery = await deliver([sent], { processor: () => new Response(null, { status: 503 }) });
      delays.push(delivery.delays.get(sent.id) ?? 0);
    }
    expect(delays.slice(0, 11)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
    expect(Math.max(...delays)).toBe(600);
    // Time for a person to repair the outage.
    expect(delays.reduce((sum, delay) => sum + delay)).toBeGreaterThan(5 * 60 * 60);
  });

  it.each([9, 20, 100, 2000])(
    "A temporary failure is retried within a queue's limits, after %d attempts too",
    (attempts) => {
      expect(backoffSeconds(attempts)).toBeGreaterThan(0);
      expect(backoffSeconds(attempts)).toBeLessThanOrEqual(MAX_DELAY_SECONDS);
    },
  );

  it("A processor that never answers is retried within a message's time limit", async () => {
    const video = await openVideo();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const asked: number[] = [];
    // A thousand times as fast as in production.
    vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
      asked.push(milliseconds);
      return timeout(milliseconds / 1000);
    });
    const processor: Processor = () => new Promise(() => undefined);
    expect(await deliverOne(stored(video), { processor }).finally(() => vi.restoreAllMocks())).toBe("retried");
    // Messages of other tests may be in progress.
    expect(asked).not.toEqual([]);
    expect(Math.max(...asked)).toBeLessThan(MAX_CONSUMER_MS);
    await expectAccounted(video.accountId);
  });

  it.each(["http://127.0.0.1:1", "http://", "nowhere"])(
    "A thumbnail is retried if the processor's address is %s",
    async (address) => {
      const video = await openVideo();
      const replaced = { MEDIA_PROCESSOR_URL: address };
      expect(await deliverOne(stored(video), { processor: () => made(), replaced })).toBe("retried");
      expect(await videoRow(video)).toMatchObject({ thumbnail_size_bytes: null, thumbnail_error: null });
      await expectAccounted(video.accountId);
    },
  );

  it.each([
    ["D1", () => failingDatabases()],
    ["R2", () => ({ FILES: failingStore<R2Bucket>() })],
    ["the address of videos", () => ({ MEDIA_PROCESSOR_URL: "http://127.0.0.1:1" })],
  ])("A thumbnail is retried if %s is missing", async (_, replaced) => {
    const video = await openVideo();
    expect(await deliverOne(stored(video), { processor: () => made(), replaced: replaced() })).toBe("retried");
    expect(await deliverOne(stored(video, 2), { processor: () => made() })).toBe("acked");
    expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
    await expectAccounted(video.accountId);
  });
});

describe("Timeouts", () => {
  const MINUTE_MS = 60_000;
  const timeout = (status = 504) => Response.json({ reason: "taking a frame took too long" }, { status });
  const sentBefore = (video: StoredVideo, minutes: number, attempts: number): Sent => ({
    ...stored(video, attempts),
    timestamp: new Date(Date.now() - minutes * MINUTE_MS),
  });

  it("An attempt that times out is repeated half an hour later, four times, and then never", async () => {
    const video = await openVideo();
    for (const [index, minutes] of [0, 30, 60, 90].entries()) {
      const sent = sentBefore(video, minutes, index + 1);
      const { retried, delays } = await deliver([sent], { processor: () => timeout() });
      expect(retried).toEqual([sent.id]);
      expect(delays.get(sent.id)).toBe(30 * 60);
      expect(await videoRow(video)).toMatchObject({ thumbnail_error: null });
    }
    expect(await deliverOne(sentBefore(video, 120, 5), { processor: () => timeout() })).toBe("acked");
    expect(await videoRow(video)).toMatchObject({ thumbnail_error: "taking a frame took too long" });
    await expectAccounted(video.accountId);
  });

  it("An attempt that times out is repeated after any number of attempts in an outage", async () => {
    const video = await openVideo();
    expect(await deliverOne(sentBefore(video, 60, 14), { processor: () => timeout() })).toBe("retried");
    expect(await deliverOne(sentBefore(video, 90, 15), { processor: () => made() })).toBe("acked");
    expect(await thumbnailBytes(video)).toBe(JPEG_BYTES);
  });

  it.each([
    ["another failure", () => timeout(503)],
    ["a 504 of what stands before the processor", () => new Response("<html>Gateway timeout</html>", { status: 504 })],
    ["a 504 that gives no reason", () => Response.json({ error: "no" }, { status: 504 })],
  ])("A timeout differs from %s, which does not count", async (_, processor) => {
    const video = await openVideo();
    const sent = sentBefore(video, 240, 25);
    const { retried, delays } = await deliver([sent], { processor });
    expect(retried).toEqual([sent.id]);
    expect(delays.get(sent.id)).toBe(600);
    expect(await videoRow(video)).toMatchObject({ thumbnail_error: null });
  });

  it("An attempt that times out is retried if its failure cannot be recorded", async () => {
    const video = await openVideo();
    const getByName = () => {
      throw new Error("The account is out of order");
    };
    const replaced = { ACCOUNT_METER: { getByName } as unknown as Env["ACCOUNT_METER"] };
    const sent = sentBefore(video, 240, 25);
    expect(await deliverOne(sent, { processor: () => timeout(), replaced })).toBe("retried");
    expect(await videoRow(video)).toMatchObject({ thumbnail_error: null });
  });
});

describe("Batches", () => {
  it("A batch has each message acknowledged or retried on its own", async () => {
    const videos = await Promise.all(Array.from({ length: 6 }, openVideo));
    const [good, refused, busy, lost, broken, last] = videos.map((video, index) => stored(video, index + 1));
    const answers = new Map<string | undefined, Processor>([
      [videos[1]?.uploadId, () => impossible()],
      [videos[2]?.uploadId, () => new Response(null, { status: 503 })],
      [videos[3]?.uploadId, () => Promise.reject(new TypeError("Network connection lost."))],
    ]);
    const processor: Processor = (task) => {
      const [uploadId] = /[0-9a-z]{26}(?=-)/.exec(task.source.pathname) ?? [];
      return answers.get(uploadId)?.(task) ?? made();
    };
    const broken4 = videos[4]?.accountId ?? "";
    await replaceStores(broken4, failingDatabases());
    const sent = [good, message(null), refused, busy, lost, broken, last].filter((each) => each !== undefined);
    const { acked, retried, delays } = await deliver(sent, { processor });
    await restoreStores(broken4);
    expect(retried.sort()).toEqual(ids([busy, lost, broken].filter((each) => each !== undefined)));
    expect(acked.sort()).toEqual(ids(sent).filter((id) => !retried.includes(id)));
    expect([busy, lost, broken].map((each) => delays.get(each?.id ?? ""))).toEqual([8, 16, 32]);
    const made6 = await Promise.all([videos[0], videos[5]].map((video) => video && thumbnailBytes(video)));
    expect(made6).toEqual([JPEG_BYTES, JPEG_BYTES]);
  });

  it("A batch has its messages handled at the same time, so that a slow one delays no other", async () => {
    const videos = await Promise.all(Array.from({ length: 4 }, openVideo));
    let arrived = 0;
    const { promise: allArrived, resolve } = Promise.withResolvers<void>();
    const processor: Processor = async () => {
      if (++arrived === videos.length) resolve();
      await allArrived;
      return made();
    };
    const { acked } = await deliver(
      videos.map((video) => stored(video)),
      { processor },
    );
    expect(acked).toHaveLength(4);
  });

  it("A batch may be empty", async () => {
    expect(await deliver([], { processor: () => made() })).toMatchObject({ acked: [], retried: [] });
  });
});
