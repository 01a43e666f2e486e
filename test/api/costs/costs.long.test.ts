import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  runDurableObjectAlarm,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import costs from "../../../docs/operating/costs.md?raw";
import type { CdnEnv } from "../../../src/cdn/env.ts";
import cdnWorker from "../../../src/cdn/worker.ts";
import type { EventsDue, QueueMessage } from "../../../src/domain/queue-messages.ts";
import worker from "../../../src/worker.ts";
import { Internet } from "../../support/alerts/internet.ts";
import { insertFolder, meterOf, replayIntents } from "../../support/api/account-state.ts";
import { BASE_URL, bearer, createApiKey, openProAccount } from "../../support/api/api.ts";
import { costTable } from "../../support/costs/cost-table.ts";
import { CountingEnv, UNLIMITED_VARIANTS } from "../../support/costs/counting-env.ts";
import { leastBill } from "../../support/costs/least-bill.ts";
import { type Bill, dollarsPerMillion, emptyBill } from "../../support/costs/prices.ts";
import { exifBlock, jpegWith, OSLO } from "../../support/media/camera-files.ts";
import { makePng } from "../../support/media/make-png.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { HookedHost, MODERATION } from "../../support/moderation/hooked-host.ts";
import { takeDown } from "../../support/operator/as-operator.ts";
import { made, processorAt } from "../../support/thumbnails/processor.ts";
import { message } from "../../support/thumbnails/queue.ts";
import { multipartBody } from "../../support/uploads/multipart.ts";
import type { UploadResult } from "../../support/uploads/upload-result.ts";
import { createToken } from "../../support/uploads/upload-tokens.ts";

// The platform's bill for each kind of request, including the last message that follows: docs/operating/costs.md.

const VIDEO_BYTES = 90 * 1024 * 1024;
/** Each of four journals gets a hundred views a second at a billion a month, and writes a quarter of a second's views together. */
const VIEWS = 1000;
const VIEWS_AT_ONCE = 25;
const JOURNAL = "views-0";
const BATCH = 10;
const TIMES = 3;
const HEAD = { method: "HEAD" };

let account: Awaited<ReturnType<typeof openProAccount>>;
let counting: CountingEnv;
let journals: CdnEnv["VIEW_JOURNAL"];
let makers: CdnEnv["VARIANT_MAKER"];
const bills = new Map<string, Bill>();
let logPage = emptyBill();

async function ask(path: string, init: RequestInit): Promise<Response> {
  const ctx = createExecutionContext();
  counting.addWorkerRequest();
  const response = await worker.fetch(new Request(BASE_URL + path, init), counting.env, ctx);
  const whole = new Response(await response.arrayBuffer(), response);
  await waitOnExecutionContext(ctx);
  return whole;
}

async function send(path: string, init: RequestInit = {}, key = account.apiKey): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string> | undefined), ...bearer(key) };
  const answer = await ask(path, { ...init, headers });
  expect(answer.ok).toBe(true);
  return answer;
}

/** Every request of an owner and of visitors of a share. */
async function noteShares(): Promise<void> {
  const json = (method: string, body: object) => {
    return { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  };
  const made: { readonly _id: string; readonly url: string }[] = [];
  const make = async (terms: object) => {
    const answer = await send("/shares", json("POST", { folderId: "root", ...terms }), account.token);
    made.push(await answer.json());
  };
  await note("share, made", () => make({}));
  await note("share, made, with uploads of guests", () => make({ allowUpload: true }));
  const { _id, url } = made[0] ?? { _id: "", url: "" };
  const { pathname } = new URL(url);
  await note("share, read", () => send(`/shares/${_id}`));
  await note("list of shares", () => send("/shares?limit=50"));
  await note("share, changed", () => send(`/shares/${_id}`, json("PATCH", { title: "Summer" }), account.token));
  await note("page of a share", () => send(pathname));
  await note("oEmbed of a share", () => send(`${pathname}/oembed`));
  await send(`/shares/${_id}`, json("PATCH", { password: "open sesame", allowUpload: true }), account.token);
  await counting.watchAddress(_id, "share");
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const form = { method: "POST", redirect: "manual", headers, body: "password=open+sesame" } as const;
  let Cookie = "";
  await note("password of a share", async () => {
    const answer = await ask(pathname, form);
    expect(answer.status).toBe(303);
    [Cookie = ""] = (answer.headers.get("Set-Cookie") ?? "").split(";");
  });
  let page = "";
  await note("page of a share with a password", async () => {
    page = await (await send(pathname, { headers: { Cookie } })).text();
  });
  const [, token = ""] = /token="([^"]+)"/.exec(page) ?? [];
  await note("image, uploaded by a guest", () =>
    send("/images/upload?filename=guest.png", { method: "POST", body: png(1, 1, 5000) }, token),
  );
  await note("share, ended", () => send(`/shares/${made.pop()?._id}`, { method: "DELETE" }));
}

/** Every further request of an owner whose files are on other people's pages. The account has no other webhook and no reader of events. */
async function noteOwners(): Promise<void> {
  const json = (method: string, body: object) => {
    return { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  };
  const remove = (path: string) => send(path, { method: "DELETE" }, account.token);
  const made = async (path: string, body: object) => {
    const answer = await send(path, json("POST", body), account.token);
    return (await answer.json<{ _id: string }>())._id;
  };
  const several = (path: string, body: object) => Promise.all(Array.from({ length: TIMES }, () => made(path, body)));
  const { _id } = await upload("order.png", png(1, 1, 5100));
  let changes = 0;
  await note("change of a file's facts", () => {
    changes += 1;
    return send(`/images/${_id}`, json("PATCH", { externalId: "order 7", originalFilename: `order ${changes}.png` }));
  });
  await note("file by its `externalId`", () => send("/images?externalId=order%207"));
  await note("page of duplicates", () => send("/duplicates"));
  await note("page by `sort`", () => send("/images?folderId=all&sort=size&limit=50"));
  await note("history of a file", () => send(`/history/${_id}`));
  await note("signature of a private file", () => send(`/images/${_id}/sign`, json("POST", {})));
  await note("duplicate", () =>
    send("/images/upload?filename=b.png&dedupe=true", { method: "POST", body: png(1, 1, 5100) }),
  );

  const tokens = await several("/upload-tokens", {});
  await note("upload token, made", () => made("/upload-tokens", {}));
  await note("list of upload tokens", () => send("/upload-tokens?limit=50"));
  await note("upload token, revoked", () => remove(`/upload-tokens/${tokens.pop()}`));
  const keys = await several("/signing-keys", { name: "The site" });
  await note("signing key, made", () => made("/signing-keys", { name: "The app" }));
  await note("list of signing keys", () => send("/signing-keys", {}, account.token));
  await note("signing key, revoked", () => remove(`/signing-keys/${keys.pop()}`));

  await note("time of deletion, set", () => {
    changes += 1;
    return send(`/images/${_id}`, json("PATCH", { expiresAt: new Date(Date.now() + changes * 1e8).toISOString() }));
  });
  for (let number = 0; number < BATCH; number++)
    await upload(`${number}.png&expiresIn=86400`, png(1, 1, 5200 + number));
  await runInDurableObject(meterOf(account.id), async (_meter, { storage }) => {
    storage.sql.exec("UPDATE expiries SET at = 1, try_at = 1 WHERE upload_id <> ?", _id);
    await storage.setAlarm(Date.now() + 3_600_000);
  });
  const expired = await counting.bill(ring);
  bills.set(`file, deleted at its time, one of ${BATCH}`, dividedBy(BATCH, expired));

  const sent: EventsDue[] = [];
  const sendBatch = async (messages: Iterable<{ readonly body: EventsDue }>) => {
    for (const { body } of messages) sent.push(body);
  };
  Object.assign(counting.env, { ALERTS: { sendBatch } });
  await counting.watchAccount(account.id);
  const hook = json("PUT", { url: "https://hooks.example.com/shop", events: ["image.updated"] });
  const path = "/settings/webhooks/shop";
  await note("webhook, set", () => send(path, hook, account.token));
  await note("webhook, read", () => send(path));
  await note("list of webhooks", () => send("/settings/webhooks"));
  await note("test of a webhook", () => send(`${path}/test`, { method: "POST" }));
  await send(`/images/${_id}`, json("PATCH", { favorite: true }));
  await ring();
  await deliver("media-host-alerts", sent);
  await note("list of a webhook's deliveries", () => send(`${path}/deliveries`));
  const { deliveries } = await (await send(`${path}/deliveries`)).json<{ deliveries: { _id: string }[] }>();
  await note("delivery, sent again", () =>
    send(`${path}/deliveries/${deliveries[0]?._id}/redeliver`, { method: "POST" }),
  );
  await note("page of events", () => send("/events?limit=50"));
  const names = ["a", "b", "c"].map((name) => `/settings/webhooks/${name}`);
  for (const each of names) await send(each, hook, account.token);
  await note("webhook, removed", () => remove(names.pop() ?? ""));
}

/** The alarm of the account's object. */
async function ring(): Promise<void> {
  counting.addAlarm();
  await runDurableObjectAlarm(meterOf(account.id));
}

function upload(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<UploadResult> {
  return send(`/images/upload?filename=${name}`, { method: "POST", body: bytes }).then((answer) => answer.json());
}

async function deliver(
  queue: string,
  bodies: readonly QueueMessage[],
  vars: Record<string, unknown> = {},
): Promise<void> {
  counting.addWorkerRequest();
  const batch = createMessageBatch(
    queue,
    bodies.map((body) => message(body)),
  );
  await worker.queue(batch, { ...counting.env, MEDIA_PROCESSOR: processorAt(() => made()), ...vars });
  const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
  expect(explicitAcks).toHaveLength(bodies.length);
}

/** Serves a file like the CDN Worker, until its view is recorded. */
async function view(
  url: string,
  init: { readonly method?: string; readonly headers?: HeadersInit } = {},
  status = 200,
): Promise<void> {
  const ctx = createExecutionContext();
  counting.addWorkerRequest();
  // Each request has its own isolate here: requests of one isolate would share their calls.
  const VIEW_JOURNAL = new Proxy(journals, {});
  const settings = { VIEW_JOURNALS: "1", FILE_MAX_AGE_SECONDS: "300", MEDIA_PROCESSOR: "none" };
  const cdn = { ...counting.env, ...settings, VIEW_JOURNAL, VARIANT_MAKER: makers, ...UNLIMITED_VARIANTS };
  const response = await cdnWorker.fetch(new Request(url, init), cdn as unknown as CdnEnv, ctx);
  await response.arrayBuffer();
  await waitOnExecutionContext(ctx);
  expect(response.status).toBe(status);
}

/** Ten seconds of views, their journal's message, and its delivery. */
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

/** The cost of one of `count` requests. */
async function measure(use: () => Promise<unknown>, count = 1): Promise<Bill> {
  return dividedBy(count, await leastBill(counting, use, TIMES));
}

function dividedBy(count: number, bill: Bill): Bill {
  return Object.fromEntries(Object.entries(bill).map(([name, value]) => [name, value / count])) as unknown as Bill;
}

async function note(request: string, use: () => Promise<unknown>, count = 1): Promise<void> {
  bills.set(request, await measure(use, count));
}

function billOf(request: string): Bill {
  return bills.get(request) ?? emptyBill();
}

beforeAll(async () => {
  new Internet().answer = () => Response.json({ action: "allow" });
  account = await openProAccount();
  counting = await CountingEnv.open(account.id);
  const image = await upload("first.png", png(1, 1, 5000));

  await note("image, uploaded", () => upload("second.png", png(1, 1, 5000)));
  const { token } = await createToken(account.apiKey, { maxFiles: 1000 });
  await note("image, uploaded with a token", () =>
    send("/images/upload?filename=token.png", { method: "POST", body: png(1, 1, 5000) }, token),
  );
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
  logPage = await measure(() => send("/logs?limit=50"));
  await note("view", () => manyViews(image.url), VIEWS);
  await note("range of a file", () => view(image.url, { headers: { Range: "bytes=100-199" } }, 206));
  const hidden = await upload("hidden.png&visibility=private", png(1, 1, 5000));
  const body = JSON.stringify({ expiresIn: 3600 });
  const json = { "Content-Type": "application/json" };
  const signed = await send(`/images/${hidden._id}/sign`, { method: "POST", headers: json, body });
  const { url: signedUrl } = await signed.json<{ url: string }>();
  await note("view of a private file", () => manyViews(signedUrl), VIEWS);
  await note("private file without a signature (403)", () => view(hidden.url, {}, 403));
  let visibility = "private";
  await note("change of visibility, first pass", () => {
    visibility = visibility === "private" ? "public" : "private";
    const change = JSON.stringify({ visibility });
    return send(`/images/${hidden._id}`, { method: "PATCH", headers: json, body: change });
  });
  const former = await upload("former.png", png(1, 1, 5000));
  let replacements = 0;
  await note("bytes replaced, both passes", async () => {
    const body = png(1, 1, 5000 + ++replacements);
    await send(`/images/${former._id}/content`, { method: "PUT", body });
    counting.addAlarm();
    await replayIntents(account.id);
  });
  const places: UploadResult[] = [];
  for (let time = 0; time < TIMES; time++) places.push(await upload("place.jpg", jpegWith(exifBlock(OSLO))));
  await note("place removed, both passes", async () => {
    await send(`/images/${places.pop()?._id}/remove-location`, { method: "POST" });
    counting.addAlarm();
    await replayIntents(account.id);
  });
  await note("place removed, there is none", () => send(`/images/${image._id}/remove-location`, { method: "POST" }));
  await note("earlier URL of a replaced file (307)", () => view(former.url, {}, 307));
  const photo = await upload("photo.png", await makePng(300, 200));
  makers = await counting.watchMaker(account.id, photo._id);
  await view(`${photo.url}?w=64`, HEAD);
  await note("view of a stored variant", () => manyViews(`${photo.url}?w=64`), VIEWS);
  const photos: UploadResult[] = [];
  for (let time = 0; time < TIMES; time++) photos.push(await upload("photo.png", await makePng(300, 200 + time)));
  await note("variant, made, `HEAD`", async () => {
    const { _id = "", url = "" } = photos.pop() ?? {};
    makers = await counting.watchMaker(account.id, _id);
    await view(`${url}?w=64`, HEAD);
  });
  await takeDown({ id: photo._id });
  await note("file that is taken down (451)", () => view(photo.url, {}, 451));
  await note("question to the moderation hook", async () => {
    const question = { type: "moderation.requested", accountId: account.id, uploadId: image._id } as const;
    await counting.env.MODERATION.send(question);
    await deliver(MODERATION, [question], new HookedHost().vars);
  });
  const videos: UploadResult[] = [];
  await note("video of 90 MB, uploaded", async () => videos.push(await upload("film.mp4", mp4(VIDEO_BYTES))));
  await note("thumbnail, made", () => {
    const { _id: uploadId = "", filename: objectKey = "" } = videos.pop() ?? {};
    const type = "upload.stored";
    return deliver("media-host-uploads", [{ type, accountId: account.id, uploadId, objectKey, mimeType: "video/mp4" }]);
  });
  await note("page of a listing", () => send("/images?limit=50"));
  const folderId = await insertFolder(account.id);
  const { key: confined } = await createApiKey(account.token, ["images:read"], { folderId });
  await send("/images?limit=50", {}, confined);
  await note("empty folder, confined key", () => send("/images?limit=50", {}, confined));
  await noteShares();
  await note("search", () => send("/images?q=second"));
  const { images } = await send(`/images?limit=${TIMES}&q=second`).then((answer) =>
    answer.json<{ images: UploadResult[] }>(),
  );
  await note("delete", () => send(`/images/${images.pop()?._id}`, { method: "DELETE" }));
  const trashed: string[] = [];
  for (let number = 0; number < TIMES; number++)
    trashed.push((await upload(`trashed-${number}.png`, png(1, 1, 5300 + number)))._id);
  const inTrash = JSON.stringify({ ids: trashed });
  await send("/images/bulk-trash", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: inTrash,
  });
  await note("delete, only from the trash", () =>
    send(`/images/${trashed.pop()}?onlyFrom=trash`, { method: "DELETE" }),
  );
  await noteOwners();
  vi.restoreAllMocks();
}, 240_000);

it("The page of costs has the counted figures", () => {
  const table = costTable([...bills]);
  expect(costs.includes(table), table).toBe(true);
});

describe("Image uploads", () => {
  it("An uploaded image takes three Durable Object calls, one D1 call and one R2 operation", () => {
    expect(billOf("image, uploaded")).toMatchObject({ objectCalls: 3, d1Calls: 1, r2ClassA: 1, r2ClassB: 0 });
  });

  it("An image in a batch costs no more than a single one", () => {
    const [one, ofBatch] = [billOf("image, uploaded"), billOf(`image, one of ${BATCH} in a request`)];
    expect(dollarsPerMillion(ofBatch)).toBeLessThan(dollarsPerMillion(one));
    for (const name of ["objectCalls", "objectRowsWritten", "d1Calls", "d1RowsWritten", "r2ClassA"] as const) {
      expect(ofBatch[name], name).toBeLessThanOrEqual(one[name]);
    }
  });
});

it("Replaced bytes take four R2 writes and lists, and a redirect of an earlier URL no write and no count", () => {
  expect(billOf("bytes replaced, both passes")).toMatchObject({ r2ClassA: 4, queueOperations: 0 });
  expect(billOf("earlier URL of a replaced file (307)")).toEqual({ ...emptyBill(), workerRequests: 1, r2ClassB: 4 });
});

it("A signed view of a private file costs at most 2 % more than a plain view of a public file", () => {
  const [signed, plain] = [billOf("view of a private file"), billOf("view")];
  expect(signed).toMatchObject({
    r2ClassA: 0,
    r2ClassB: plain.r2ClassB,
    d1Calls: 0,
    queueOperations: plain.queueOperations,
  });
  expect(dollarsPerMillion(signed)).toBeLessThanOrEqual(1.02 * dollarsPerMillion(plain));
});

it("A range takes one request and one R2 operation only", () => {
  expect(billOf("range of a file")).toEqual({ ...emptyBill(), workerRequests: 1, r2ClassB: 1 });
});

it("A page of the operation log takes one D1 statement besides its object's calls, three rows an upload", () => {
  expect(logPage).toMatchObject({
    objectCalls: billOf("page of a listing").objectCalls + 1,
    d1Calls: 1,
    d1RowsWritten: 0,
  });
  expect(logPage.d1RowsRead).toBeLessThanOrEqual(3 * 50);
});

it("A stored variant costs as much as its file, and a new one two R2 writes, four reads and its record", () => {
  const { objectCalls, r2ClassA, r2ClassB, d1Calls } = billOf("view");
  expect(billOf("view of a stored variant")).toMatchObject({ objectCalls, r2ClassA, r2ClassB, d1Calls });
  expect(billOf("variant, made, `HEAD`")).toMatchObject({
    objectCalls: 3,
    objectRowsWritten: 2,
    r2ClassA: 2,
    r2ClassB: 4,
  });
});

describe("Views", () => {
  it("A view takes one request, one R2 operation and one Durable Object call", () => {
    expect(billOf("view")).toMatchObject({ r2ClassA: 0, r2ClassB: 1, d1Calls: 0 });
    // A view also costs a thousandth of a batch of messages, of an alarm and of a call of the account's object.
    expect(billOf("view").workerRequests).toBeCloseTo(1 + 1 / VIEWS, 5);
    expect(billOf("view").objectCalls).toBeCloseTo(1 + 2 / VIEWS, 5);
  });

  it("A view shares its row and message with other views: counting a million costs at most 40 cents", () => {
    const { workerRequests, ...counted } = billOf("view");
    const counting = { ...counted, workerRequests: workerRequests - 1, r2ClassB: 0 };
    expect(counting.objectRowsWritten).toBeLessThan(0.1);
    expect(counting.queueOperations).toBeLessThan(0.01);
    expect(dollarsPerMillion(counting)).toBeLessThanOrEqual(0.4);
  });
});
