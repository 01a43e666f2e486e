import { createExecutionContext, createMessageBatch, evictDurableObject, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { METRICS } from "../../../src/domain/metrics.ts";
import worker from "../../../src/worker.ts";
import { bearer, call, openAccount, openProAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { failingStore, libraries } from "../../support/api/databases.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { lintMetrics } from "../../support/operator/lint-metrics.ts";
import { OBSERVED, observe, readSeries } from "../../support/operator/observed.ts";
import { made, processorAt } from "../../support/thumbnails/processor.ts";
import { message, type StoredVideo, stored } from "../../support/thumbnails/queue.ts";
import { storeVideo } from "../../support/thumbnails/state.ts";

function metricsText(accept?: string): Promise<Response> {
  return observe("/metrics", {
    headers: { ...bearer(env.ADMIN_TOKEN), ...(accept === undefined ? {} : { Accept: accept }) },
  });
}

it("`GET /metrics` is Prometheus text 0.0.4 that passes a linter", async () => {
  await observe("/health");
  const response = await metricsText();
  expect(response.headers.get("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await response.text();
  expect(lintMetrics(text)).toEqual([]);
  for (const name of Object.keys(METRICS)) expect(text).toContain(`# TYPE ${name} `);
});

it("`GET /metrics` is OpenMetrics if the scraper accepts it", async () => {
  const response = await metricsText("application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
  expect(response.headers.get("Content-Type")).toMatch(/^application\/openmetrics-text/);
  const text = await response.text();
  expect(text.endsWith("# EOF\n")).toBe(true);
  expect(text).toContain("# TYPE media_http_requests counter\n");
  expect(text).toContain("\nmedia_http_requests_total{");
});

it("`GET /metrics` counts requests by method, route and status, with no invented labels", async () => {
  const { token } = await openAccount();
  const before = await readSeries();
  await observe("/account", { headers: bearer(token) });
  await observe("/account", { headers: bearer(token) });
  await observe("/images/01arz3ndektsv4rrffq69g5fav", { headers: bearer(token) });
  await observe("/images/01arz3ndektsv4rrffq69g5fav?secret=1", { headers: bearer(token) });
  await observe(`/no-such-path-${crypto.randomUUID()}`);
  await observe("/account", { method: "PROPFIND" });
  const after = await readSeries();
  const grown = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
  expect(grown('media_http_requests_total{method="GET",route="/account",status="200"}')).toBe(2);
  expect(grown('media_http_requests_total{method="GET",route="/images/{id}",status="404"}')).toBe(1);
  expect(grown('media_http_requests_total{method="GET",route="/images/{id}",status="400"}')).toBe(1);
  expect(grown('media_http_requests_total{method="GET",route="none",status="404"}')).toBe(1);
  expect(grown('media_http_requests_total{method="other",route="none",status="405"}')).toBe(1);
  expect(grown('media_http_request_duration_seconds_count{method="GET",route="/account"}')).toBe(2);
  expect([...after.keys()].join("\n")).not.toMatch(/no-such-path|PROPFIND|secret|01arz3/);
});

async function uploaded(account: TestAccount, bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Response> {
  return observe(`/images/upload?filename=${name}`, { method: "POST", headers: bearer(account.token), body: bytes });
}

it("`GET /metrics` counts uploads, their bytes, and uncompressed images by reason", async () => {
  const account = await openAccount();
  const settings = { "Content-Type": "application/json", ...bearer(account.token) };
  await observe("/settings", { method: "PATCH", headers: settings, body: JSON.stringify({ autoCompress: true }) });
  const before = await readSeries();
  const bytes = png();
  expect((await uploaded(account, bytes, "a.png")).status).toBe(201);
  const after = await readSeries();
  const grown = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
  expect(grown('media_uploads_total{type="image"}')).toBe(1);
  const kept = [...after.keys()]
    .filter((series) => series.startsWith("media_images_kept_total"))
    .reduce((sum, series) => sum + grown(series), 0);
  expect(kept + grown("media_images_compressed_total")).toBe(1);
  expect(grown('media_upload_bytes_total{type="image"}') + grown("media_compression_saved_bytes_total")).toBe(
    bytes.length,
  );
});

it("`GET /metrics` counts thumbnails by outcome", async () => {
  const account = await openProAccount();
  const video = await uploadOne(account.token, { name: "film.mp4", bytes: mp4() });
  const before = await readSeries();
  const body = {
    type: "upload.stored" as const,
    accountId: account.id,
    uploadId: video._id,
    objectKey: new URL(video.url).pathname.slice(1),
    mimeType: "video/mp4",
  };
  for (const answer of [() => new Response("broken", { status: 500 }), () => made()]) {
    const batch = createMessageBatch("media-host-uploads", [message(body)]);
    await worker.queue(batch, { ...OBSERVED, MEDIA_PROCESSOR: processorAt(answer) });
    await getQueueResult(batch, createExecutionContext());
  }
  const after = await readSeries();
  const grown = (outcome: string) =>
    (after.get(`media_thumbnails_total{outcome="${outcome}"}`) ?? 0) -
    (before.get(`media_thumbnails_total{outcome="${outcome}"}`) ?? 0);
  // The queue's own consumer may also have made an attempt.
  expect(grown("failed")).toBeGreaterThanOrEqual(1);
  expect(grown("made")).toBe(1);
});

it("`GET /metrics` counts a video deleted before its thumbnail as gone, and logs no error", async () => {
  const account = await openProAccount();
  const [early, late] = [await storeVideo(account.id), await storeVideo(account.id)];
  const remove = ({ uploadId }: StoredVideo) =>
    call(`/images/${uploadId}`, { method: "DELETE", headers: bearer(account.token) });
  await remove(early);
  const before = await readSeries();
  const errors = vi.spyOn(console, "error");
  const processor = async () => {
    await remove(late);
    return Response.json({ reason: "the source answered 404" }, { status: 502 });
  };
  for (const video of [early, late]) {
    const batch = createMessageBatch("media-host-uploads", [stored(video)]);
    await worker.queue(batch, { ...OBSERVED, MEDIA_PROCESSOR: processorAt(processor) });
    expect((await getQueueResult(batch, createExecutionContext())).explicitAcks).toHaveLength(1);
  }
  expect(errors.mock.calls.flat().filter((line) => String(line).includes(account.id))).toEqual([]);
  errors.mockRestore();
  const after = await readSeries();
  const grown = (outcome: string) =>
    (after.get(`media_thumbnails_total{outcome="${outcome}"}`) ?? 0) -
    (before.get(`media_thumbnails_total{outcome="${outcome}"}`) ?? 0);
  // Videos of other tests, whose messages are tried again meanwhile, count too.
  expect(grown("gone")).toBeGreaterThanOrEqual(2);
});

it("`GET /metrics` never decreases: counters only grow, and outlive the object's memory", async () => {
  const first = await readSeries();
  await evictDurableObject(env.SERVICE_METER.getByName("service"));
  await observe("/health");
  const second = await readSeries();
  for (const [series, value] of first) {
    if (/_(total|count|sum|bucket)/.test(series)) expect(second.get(series)).toBeGreaterThanOrEqual(value);
  }
});

it("`GET /metrics` has queues, databases and shards", async () => {
  const series = await readSeries();
  for (const queue of [
    "uploads",
    "uploads-dead",
    "views",
    "views-dead",
    "alerts",
    "alerts-dead",
    "mails",
    "mails-dead",
    "moderation",
    "moderation-dead",
    "imports",
    "imports-dead",
  ]) {
    expect(series.get(`media_queue_messages{queue="${queue}"}`)).toBeGreaterThanOrEqual(0);
    expect(series.get(`media_up{dependency="queue-${queue}"}`)).toBe(1);
  }
  for (const database of ["directory", ...libraries.shards.map((shard) => `library-${shard}`)]) {
    expect(series.get(`media_database_bytes{database="${database}"}`)).toBeGreaterThan(4096);
  }
  expect(series.get('media_shards{state="open"}')).toBe(libraries.shards.length);
});

it("`GET /metrics` answers while a shard is down, and reports it", async () => {
  const series = await readSeries({ ...OBSERVED, LIBRARY_01: failingStore<D1Database>() });
  expect(series.get('media_up{dependency="library-01"}')).toBe(0);
  expect(series.has('media_database_bytes{database="library-01"}')).toBe(false);
  expect(series.get('media_up{dependency="library-00"}')).toBe(1);
});

it("`GET /metrics` answers within its deadline while a store hangs", async () => {
  const hanging = new Proxy({}, { get: () => () => new Promise(() => {}) }) as Queue;
  const startedAt = Date.now();
  const series = await readSeries({ ...OBSERVED, VIEWS_DEAD: hanging });
  expect(Date.now() - startedAt).toBeLessThan(9000);
  expect(series.get('media_up{dependency="queue-views-dead"}')).toBe(0);
});

it("`GET /metrics` is for the operator only", async () => {
  const { token } = await openAccount();
  expect((await observe("/metrics")).status).toBe(401);
  expect((await observe("/metrics", { headers: bearer(token) })).status).toBe(401);
});
