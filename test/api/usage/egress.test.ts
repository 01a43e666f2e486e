import { createMessageBatch, evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import worker from "../../../src/worker.ts";
import { meterOf } from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type TestAccount } from "../../support/api/api.ts";
import { message, type Sent } from "../../support/thumbnails/queue.ts";
import { collected, newViews } from "../../support/views/collected.ts";

const GIGABYTES = 5_000_000_000;

async function deliver(...sent: readonly Sent[]): Promise<void> {
  await worker.queue(createMessageBatch("media-host-views", [...sent]), env);
}

async function readEgress({ token }: TestAccount): Promise<unknown> {
  const response = await call("/stats/overview", { headers: bearer(token) });
  return (await response.json<{ egress: unknown }>()).egress;
}

afterEach(() => {
  vi.useRealTimers();
});

it("`GET /stats/overview` has the bytes that were sent this month", async () => {
  const [one, other] = [await openAccount(), await openAccount()];
  expect(await readEgress(one)).toEqual({ bytes: 0 });
  await deliver(message(collected({ [one.id]: newViews(3) }, { sentBytes: GIGABYTES })));
  await deliver(message(collected({ [one.id]: newViews(1) }, { sequence: 2, sentBytes: 7 })));
  await deliver(message(collected({ [one.id]: newViews(1) }, { sequence: 3 })));
  await evictDurableObject(meterOf(one.id));
  expect(await readEgress(one)).toEqual({ bytes: GIGABYTES + 7 });
  expect(await readEgress(other)).toEqual({ bytes: 0 });
});

it("Sent bytes that are reported twice are counted once", async () => {
  const account = await openAccount();
  const sent = collected({ [account.id]: newViews(2) }, { sentBytes: 1000 });
  await deliver(message(sent), message(sent));
  await deliver(message(sent));
  expect(await readEgress(account)).toEqual({ bytes: 1000 });
});

it("The count of sent bytes begins again with a new month", async () => {
  const account = await openAccount();
  await deliver(message(collected({ [account.id]: newViews(1) }, { sentBytes: 1000 })));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 40 * 86_400_000 });
  expect((await meterOf(account.id).read())?.egressBytes).toBe(0);
  await deliver(message(collected({ [account.id]: newViews(1) }, { sequence: 2, sentBytes: 5 })));
  expect((await meterOf(account.id).read())?.egressBytes).toBe(5);
});
