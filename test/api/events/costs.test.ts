import {
  createExecutionContext,
  createMessageBatch,
  evictDurableObject,
  runDurableObjectAlarm,
  waitOnExecutionContext,
} from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import costs from "../../../docs/operating/costs.md?raw";
import type { EventsDue } from "../../../src/domain/queue-messages.ts";
import worker from "../../../src/worker.ts";
import { Internet } from "../../support/alerts/internet.ts";
import { meterOf } from "../../support/api/account-state.ts";
import { BASE_URL, bearer, openAccount } from "../../support/api/api.ts";
import { CountingEnv } from "../../support/costs/counting-env.ts";
import { type Bill, dollarsPerMillion } from "../../support/costs/prices.ts";
import { putNamed } from "../../support/events/events.ts";
import { png } from "../../support/media/samples.ts";
import { message } from "../../support/thumbnails/queue.ts";

// The price of events, as the difference to the same requests of an account without a webhook: docs/operating/costs.md.

const OPERATIONS_PER_MESSAGE = 3;
const BUSY = 40;

let internet: Internet;

beforeEach(() => {
  internet = new Internet();
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function openCounted(isHooked: boolean) {
  const account = await openAccount("business");
  if (isHooked) await putNamed(account, "shop", { events: ["upload.completed", "image.updated"] });
  const counting = await CountingEnv.open(account.id);
  const sent: EventsDue[] = [];
  const sendBatch = async (messages: Iterable<{ readonly body: EventsDue }>) => {
    for (const { body } of messages) sent.push(body);
  };
  Object.assign(counting.env, { ALERTS: { sendBatch } });
  await counting.watchAccount(account.id);
  const send = async (path: string, init: RequestInit) => {
    const ctx = createExecutionContext();
    counting.addWorkerRequest();
    const headers = { ...(init.headers as Record<string, string> | undefined), ...bearer(account.token) };
    const response = await worker.fetch(new Request(BASE_URL + path, { ...init, headers }), counting.env, ctx);
    const body = await response.json<{ _id: string }>();
    await waitOnExecutionContext(ctx);
    expect(response.ok).toBe(true);
    return body;
  };
  /** Rings the alarm and delivers its message, as the platform does. */
  const deliver = async () => {
    counting.addAlarm();
    await runDurableObjectAlarm(meterOf(account.id));
    for (const body of sent.splice(0)) {
      counting.addWorkerRequest();
      const batch = createMessageBatch("media-host-alerts", [message(body)]);
      await worker.queue(batch, counting.env);
      counting.addQueueOperations(OPERATIONS_PER_MESSAGE);
    }
  };
  const forget = async () => {
    await evictDurableObject(meterOf(account.id));
    await counting.watchAccount(account.id);
  };
  return { account, counting, send, deliver, forget };
}

type Counted = Awaited<ReturnType<typeof openCounted>>;

const upload = ({ send }: Counted, name: string) =>
  send(`/images/upload?filename=${name}`, { method: "POST", body: png() });

/** The price of a million events, without their requests. */
async function priceOf(
  count: number,
  use: (counted: Counted, ids: readonly string[]) => Promise<unknown>,
): Promise<number> {
  const bills: Bill[] = [];
  for (const isHooked of [true, false]) {
    const counted = await openCounted(isHooked);
    const ids: string[] = [];
    for (let index = 0; index < count; index++) ids.push((await upload(counted, `before-${index}.png`))._id);
    await counted.deliver();
    internet.received.length = 0;
    // Sparse events share no run with earlier ones. The object forgets when the last run was announced.
    if (count === 1) await counted.forget();
    bills.push(
      await counted.counting.bill(async () => {
        await use(counted, ids);
        if (isHooked) await counted.deliver();
      }),
    );
    expect(internet.received.length).toBe(isHooked ? count : 0);
  }
  const [hooked, plain] = bills.map(dollarsPerMillion);
  return ((hooked ?? 0) - (plain ?? 0)) / count;
}

const PATCH = { method: "PATCH", body: '{"favorite":true}', headers: { "Content-Type": "application/json" } };

it("Events cost at most $1.5 a million at a busy pace, and the documented price when they are sparse", async () => {
  const busyUploads = await priceOf(BUSY, async (counted) => {
    for (let index = 0; index < BUSY; index++) await upload(counted, `${index}.png`);
  });
  const busyChanges = await priceOf(BUSY, async ({ send }, ids) => {
    for (const id of ids) await send(`/images/${id}`, PATCH);
  });
  const bulk = await priceOf(BUSY, ({ send }, ids) =>
    send("/images/bulk-update", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ids, favorite: true }),
    }),
  );
  const sparseUpload = await priceOf(1, (counted) => upload(counted, "a.png"));
  const sparseChange = await priceOf(1, ({ send }, ids) => send(`/images/${ids[0]}`, PATCH));
  const prices = { busyUploads, busyChanges, bulk, sparseUpload, sparseChange };
  console.info(JSON.stringify(prices));
  expect(busyUploads).toBeLessThanOrEqual(1.5);
  expect(busyChanges).toBeLessThanOrEqual(1.5);
  expect(bulk).toBeLessThanOrEqual(1.5);
  for (const [name, price] of Object.entries(prices)) {
    const documented = Number(new RegExp(`<!-- ${name} -->\\s*\\$?([\\d.]+)`).exec(costs)?.[1]);
    expect([name, Math.abs(price - documented) <= 0.35]).toEqual([name, true]);
  }
}, 120_000);
