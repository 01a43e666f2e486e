import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  runDurableObjectAlarm,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import readme from "../../../README.md?raw";
import type { CdnEnv } from "../../../src/cdn/env.ts";
import cdnWorker from "../../../src/cdn/worker.ts";
import type { QueueMessage } from "../../../src/domain/queue-messages.ts";
import worker from "../../../src/worker.ts";
import { BASE_URL, bearer, openProAccount } from "../../support/api/api.ts";
import { costTable } from "../../support/costs/cost-table.ts";
import { CountingEnv } from "../../support/costs/counting-env.ts";
import { type Bill, dollarsPerMillion, emptyBill } from "../../support/costs/prices.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { made, processorAt } from "../../support/thumbnails/processor.ts";
import { message } from "../../support/thumbnails/queue.ts";
import { multipartBody } from "../../support/uploads/multipart.ts";
import type { UploadResult } from "../../support/uploads/upload-result.ts";

// What the platform bills for each kind of request, down to the last message that follows from it: README, "Costs".

const VIDEO_BYTES = 90 * 1024 * 1024;
/** Of a billion a month one of four journals has a hundred a second: a quarter of a second's are written together. */
const VIEWS = 1000;
const VIEWS_AT_ONCE = 25;
const JOURNAL = "views-0";
const BATCH = 10;
const TIMES = 3;

let account: Awaited<ReturnType<typeof openProAccount>>;
let counting: CountingEnv;
let journals: CdnEnv["VIEW_JOURNAL"];
const bills = new Map<string, Bill>();

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const ctx = createExecutionContext();
  counting.addWorkerRequest();
  const headers = { ...(init.headers as Record<string, string> | undefined), ...bearer(account.apiKey) };
  const response = await worker.fetch(new Request(BASE_URL + path, { ...init, headers }), counting.env, ctx);
  const whole = new Response(await response.arrayBuffer(), response);
  await waitOnExecutionContext(ctx);
  expect(whole.ok).toBe(true);
  return whole;
}

function upload(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<UploadResult> {
  return send(`/images/upload?filename=${name}`, { method: "POST", body: bytes }).then((answer) => answer.json());
}

/** Has the queue deliver messages to the API Worker. */
async function deliver(queue: string, bodies: readonly QueueMessage[]): Promise<void> {
  counting.addWorkerRequest();
  const batch = createMessageBatch(
    queue,
    bodies.map((body) => message(body)),
  );
  await worker.queue(batch, { ...counting.env, MEDIA_PROCESSOR: processorAt(() => made()) });
  const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
  expect(explicitAcks).toHaveLength(bodies.length);
}

/** Serves a file as the CDN Worker does, until its view is recorded. */
async function view(url: string, headers: Record<string, string> = {}): Promise<void> {
  const ctx = createExecutionContext();
  counting.addWorkerRequest();
  // As if each came to another isolate: those of one isolate share their calls.
  const VIEW_JOURNAL = new Proxy(journals, {});
  const cdn = { ...counting.env, VIEW_JOURNAL, VIEW_JOURNALS: "1", FILE_MAX_AGE_SECONDS: "300" };
  const response = await cdnWorker.fetch(new Request(url, { headers }), cdn as unknown as CdnEnv, ctx);
  await response.arrayBuffer();
  await waitOnExecutionContext(ctx);
  expect(response.ok).toBe(true);
}

/** Ten seconds of views, what their journal sends of them, and its delivery. */
async function manyViews(url: string): Promise<void> {
  const sent: QueueMessage[] = [];
  const send = async (message: QueueMessage) => {
    sent.push(message);
    return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
  };
  journals = await counting.watchJournal(JOURNAL, { send });
  for (let count = 0; count < VIEWS; count += VIEWS_AT_ONCE) {
    await Promise.all(Array.from({ length: VIEWS_AT_ONCE }, () => view(url)));
  }
  counting.addAlarm();
  await runDurableObjectAlarm((env as unknown as CdnEnv).VIEW_JOURNAL.getByName(JOURNAL));
  await counting.watchAccount(account.id);
  await deliver("media-host-views", sent);
}

/**
 * Notes what one of `count` costs: the least of several times, as now and then a request also writes down where the minute's
 * requests stand, or when its key was used.
 */
async function note(request: string, use: () => Promise<unknown>, count = 1): Promise<void> {
  const measured: Bill[] = [];
  for (let time = 0; time < TIMES; time++) measured.push(await counting.bill(use));
  const least = emptyBill();
  for (const name of Object.keys(least) as (keyof Bill)[]) {
    least[name] = Math.min(...measured.map((bill) => bill[name])) / count;
  }
  bills.set(request, least);
}

function billOf(request: string): Bill {
  return bills.get(request) ?? emptyBill();
}

beforeAll(async () => {
  account = await openProAccount();
  counting = await CountingEnv.open(account.id);
  const image = await upload("first.png", png(1, 1, 5000));

  await note("image, uploaded", () => upload("second.png", png(1, 1, 5000)));
  const many = multipartBody(
    "edge",
    Array.from({ length: BATCH }, (_, i) => ({ name: "file", filename: `${i}.png`, content: png(1, 1, 5000 + i) })),
  );
  const headers = { "Content-Type": "multipart/form-data; boundary=edge" };
  await note(
    `image, one of ${BATCH} in a request`,
    () => send("/images/upload", { method: "POST", headers, body: many }),
    BATCH,
  );
  await note("view", () => manyViews(image.url), VIEWS);
  await note("range of a file", () => view(image.url, { Range: "bytes=100-199" }));
  const videos: UploadResult[] = [];
  await note("video of 90 MB, uploaded", async () => videos.push(await upload("film.mp4", mp4(VIDEO_BYTES))));
  await note("thumbnail, made", () => {
    const { _id: uploadId = "", filename: objectKey = "" } = videos.pop() ?? {};
    const type = "upload.stored";
    return deliver("media-host-uploads", [{ type, accountId: account.id, uploadId, objectKey, mimeType: "video/mp4" }]);
  });
  await note("page of a listing", () => send("/images?limit=50"));
  await note("search", () => send("/images?q=second"));
  const { images } = await send(`/images?limit=${TIMES}&q=second`).then((answer) =>
    answer.json<{ images: UploadResult[] }>(),
  );
  await note("delete", () => send(`/images/${images.pop()?._id}`, { method: "DELETE" }));
}, 120_000);

it("README says what requests cost", () => {
  const table = costTable([...bills]);
  expect(readme.includes(table), table).toBe(true);
});

describe("an uploaded image", () => {
  it("takes three calls of Durable Objects, one of D1 and one operation of R2", () => {
    expect(billOf("image, uploaded")).toMatchObject({ objectCalls: 3, d1Calls: 1, r2ClassA: 1, r2ClassB: 0 });
  });

  it("costs no more as one of a batch", () => {
    const [one, ofBatch] = [billOf("image, uploaded"), billOf(`image, one of ${BATCH} in a request`)];
    expect(dollarsPerMillion(ofBatch)).toBeLessThan(dollarsPerMillion(one));
    for (const name of ["objectCalls", "objectRowsWritten", "d1Calls", "d1RowsWritten", "r2ClassA"] as const) {
      expect(ofBatch[name], name).toBeLessThanOrEqual(one[name]);
    }
  });
});

it("a range takes one request and one operation of R2, and nothing else", () => {
  expect(billOf("range of a file")).toEqual({ ...emptyBill(), workerRequests: 1, r2ClassB: 1 });
});

describe("a view", () => {
  it("takes one request, one operation of R2 and one call of a Durable Object", () => {
    expect(billOf("view")).toMatchObject({ r2ClassA: 0, r2ClassB: 1, d1Calls: 0 });
    // And a thousandth of a batch of messages; of an alarm and of a call of the account's object.
    expect(billOf("view").workerRequests).toBeCloseTo(1 + 1 / VIEWS, 5);
    expect(billOf("view").objectCalls).toBeCloseTo(1 + 2 / VIEWS, 5);
  });

  it("shares its row and its message with many others: counting a million costs at most 40 cents", () => {
    const { workerRequests, ...counted } = billOf("view");
    const counting = { ...counted, workerRequests: workerRequests - 1, r2ClassB: 0 };
    expect(counting.objectRowsWritten).toBeLessThan(0.1);
    expect(counting.queueOperations).toBeLessThan(0.01);
    expect(dollarsPerMillion(counting)).toBeLessThanOrEqual(0.4);
  });
});
