import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newId } from "../../../src/domain/ids.ts";
import type { FileViewed, ViewsCollected } from "../../../src/domain/queue-messages.ts";
import { newViewId, packViews } from "../../../src/domain/view-pack.ts";
import { MAX_DEAD_ATTEMPTS } from "../../../src/jobs/dead-messages.ts";
import wrangler from "../../../wrangler.toml?raw";
import { meterOf } from "../../support/api/account-state.ts";
import { bearer, openAccount } from "../../support/api/api.ts";
import { observe, readSeries } from "../../support/operator/observed.ts";
import { impossible, made } from "../../support/thumbnails/processor.ts";
import { DEAD, deliver, deliverOne, message, stored } from "../../support/thumbnails/queue.ts";
import { storeVideo, thumbnailBytes } from "../../support/thumbnails/state.ts";

interface Letter {
  readonly id: string;
  readonly queue: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly failedAt: string;
  readonly nextAt: string | null;
  readonly reason: string;
}

const VIEWS_DEAD = "media-host-views-dead";
const BROKEN = { processor: () => new Response("broken", { status: 500 }), queue: DEAD };

async function admin(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { ...bearer(env.ADMIN_TOKEN), "Content-Type": "application/json" };
  return observe(`/admin/${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

async function letters(): Promise<Letter[]> {
  const all: Letter[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const response: Response = await admin("GET", `dead-letters?cursor=${cursor}`);
    expect(response.status).toBe(200);
    const page = await response.json<{ letters: Letter[]; pagination: { nextCursor: string | null } }>();
    all.push(...page.letters);
    cursor = page.pagination.nextCursor;
  }
  return all;
}

const find = async (id: string) => (await letters()).find((letter) => letter.id === id);

it("A message that fails in its dead-letter queue is listed with its reason, and retried", async () => {
  const video = await storeVideo((await openAccount()).id);
  const sent = stored(video);
  expect(await deliverOne(sent, BROKEN)).toBe("retried");
  expect(await find(sent.id)).toMatchObject({
    queue: "uploads-dead",
    type: "upload.stored",
    state: "retrying",
    attempts: 1,
    reason: "Error: The media processor answered 500",
  });
  await evictDurableObject(env.SERVICE_METER.getByName("service"));
  expect(await deliverOne({ ...sent, attempts: 2 }, BROKEN)).toBe("retried");
  expect(await find(sent.id)).toMatchObject({ attempts: 2, state: "retrying" });
  expect(await deliverOne({ ...sent, attempts: 3 }, { processor: () => made(), queue: DEAD })).toBe("acked");
  expect(await find(sent.id)).toBeUndefined();
  expect(await thumbnailBytes(video)).toBe(1234);
});

it("A message whose last attempt fails is kept before its queue loses it, and can be sent again", async () => {
  const video = await storeVideo((await openAccount()).id);
  const sent = stored(video, MAX_DEAD_ATTEMPTS);
  expect(await deliverOne(sent, BROKEN)).toBe("acked");
  expect(await find(sent.id)).toMatchObject({ state: "given-up", nextAt: null });
  expect((await readSeries()).get('media_dead_letters{state="given-up"}')).toBeGreaterThanOrEqual(1);
  const retried = await admin("POST", "dead-letters/retry", { ids: [sent.id, "unknown"] });
  expect(await retried.json()).toEqual({ letters: 1 });
  expect(await find(sent.id)).toBeUndefined();
  expect(await (await admin("POST", "dead-letters/retry", { ids: [sent.id] })).json()).toEqual({ letters: 0 });
});

it("A dead-letter queue delivers at least once more after the attempt that is kept", () => {
  const retries = Array.from(wrangler.matchAll(/-dead"\n(?:.+\n)*?max_retries = (\d+)/g), ([, count]) => Number(count));
  expect(retries).toHaveLength(6);
  for (const count of retries) expect(count + 1).toBeGreaterThan(MAX_DEAD_ATTEMPTS);
});

it("A message that the operator dropped is not handled when it is delivered again", async () => {
  const video = await storeVideo((await openAccount()).id);
  const sent = stored(video);
  await deliverOne(sent, BROKEN);
  expect(await (await admin("POST", "dead-letters/drop", { ids: [sent.id] })).json()).toEqual({ letters: 1 });
  expect(await find(sent.id)).toBeUndefined();
  let asked = 0;
  const processor = () => {
    asked += 1;
    return made();
  };
  expect(await deliverOne({ ...sent, attempts: 2 }, { processor, queue: DEAD })).toBe("acked");
  expect(asked).toBe(0);
});

it("Kept views are counted once when they are sent again, in either form", async () => {
  const { id } = await openAccount();
  const unreachable = {
    ...env.ACCOUNT_METER,
    getByName: () => ({ recordViews: () => Promise.reject(new Error("away")) }),
  };
  const replaced = { ACCOUNT_METER: unreachable as unknown as Env["ACCOUNT_METER"] };
  const objectKey = `uploads/${id}/${newId(Date.now())}-a.png`;
  const single: FileViewed = { type: "file.viewed", accountId: id, objectKey, viewedAt: Date.now() };
  const view = { id: newViewId(), at: Date.now(), resourceId: newId(Date.now()) };
  const packed: ViewsCollected = {
    type: "views.collected",
    journal: crypto.randomUUID(),
    sequence: 1,
    packs: new Map([[id, packViews([view])]]),
  };
  const sent = [message(single, MAX_DEAD_ATTEMPTS), message(packed, MAX_DEAD_ATTEMPTS)];
  const { acked } = await deliver(sent, { processor: () => impossible(), queue: VIEWS_DEAD, replaced });
  expect(acked).toHaveLength(2);
  expect((await meterOf(id).read())?.operationsUsedTenths).toBe(0);
  const ids = sent.map((each) => each.id);
  expect(await (await admin("POST", "dead-letters/retry", { ids })).json()).toEqual({ letters: 2 });
  await expect.poll(async () => (await meterOf(id).read())?.operationsUsedTenths, { timeout: 15_000 }).toBe(2);
});

it("A dead-letter queue keeps working while the service's meter is away", async () => {
  const video = await storeVideo((await openAccount()).id);
  const fail = () => Promise.reject(new Error("away"));
  const away = { getByName: () => ({ droppedLetters: fail, reportLetters: fail, addCounts: fail }) };
  const replaced = { SERVICE_METER: away as unknown as Env["SERVICE_METER"] };
  expect(await deliverOne(stored(video, MAX_DEAD_ATTEMPTS), { ...BROKEN, replaced })).toBe("retried");
  expect(await deliverOne(stored(video), { processor: () => made(), queue: DEAD, replaced })).toBe("acked");
  expect(await thumbnailBytes(video)).toBe(1234);
});

it("A retry of dead letters takes at most twenty ids, and invalid ids are 400", async () => {
  for (const ids of [[], Array.from({ length: 21 }, String), "all"]) {
    expect((await admin("POST", "dead-letters/retry", { ids })).status).toBe(400);
    expect((await admin("POST", "dead-letters/drop", { ids })).status).toBe(400);
  }
  expect((await admin("GET", "dead-letters?after=x")).status).toBe(400);
});
