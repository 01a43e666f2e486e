import { createExecutionContext, createMessageBatch, getQueueResult, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { FileViewed } from "../../src/domain/queue-messages.ts";
import { backoffSeconds } from "../../src/jobs/backoff.ts";
import { MAX_DEAD_ATTEMPTS } from "../../src/jobs/dead-messages.ts";
import { recordViews } from "../../src/jobs/record-views.ts";
import worker from "../../src/worker.ts";
import configuration from "../../wrangler.toml?raw";
import { meterOf, readMeter, replaceStores, restoreStores, usageOf } from "../support/api/account-state.ts";
import { bearer, call, openAccount, type TestAccount, uploadOne } from "../support/api/api.ts";
import { failingDatabases } from "../support/api/databases.ts";
import { mp4, png } from "../support/media/samples.ts";
import { made } from "../support/thumbnails/processor.ts";
import { deliver as deliverJobs } from "../support/thumbnails/queue.ts";

const QUEUE = "media-host-views";

interface Sent {
  readonly id: string;
  readonly timestamp: Date;
  readonly attempts: number;
  readonly body: FileViewed;
}

function view(
  accountId: string,
  { id = crypto.randomUUID() as string, attempts = 1, viewedAt = Date.now() } = {},
): Sent {
  const objectKey = `uploads/${accountId}/01hzy3v7k9q4r5s6t7v8w9x0yb-a.png`;
  return { id, timestamp: new Date(), attempts, body: { type: "file.viewed", accountId, objectKey, viewedAt } };
}

function views(accountId: string, count: number): Sent[] {
  return Array.from({ length: count }, () => view(accountId));
}

async function deliver(messages: Sent[], queue = QUEUE) {
  const batch = createMessageBatch<FileViewed>(queue, messages);
  const ctx = createExecutionContext();
  await worker.queue(batch, env);
  return getQueueResult(batch, ctx);
}

async function operationsOf(account: TestAccount): Promise<number> {
  return usageOf(await call("/images", { headers: bearer(account.token) })).operations;
}

describe("Batches of views", () => {
  it("A batch of views is acknowledged, and 10 views are 1 operation", async () => {
    const account = await openAccount();
    const messages = views(account.id, 10);
    const result = await deliver(messages);
    expect(result.outcome).toBe("ok");
    expect([...result.explicitAcks].sort()).toEqual(messages.map(({ id }) => id).sort());
    expect(result.retryMessages).toEqual([]);
    expect(await operationsOf(account)).toBe(1);
  });

  it("A batch of many views counts exactly a tenth of an operation for each", async () => {
    const account = await openAccount();
    for (const [count, operations] of [
      [1, 0.1],
      [2, 0.3],
      [4, 0.7],
      [100, 10.7],
      [96, 20.3],
    ] as const) {
      await deliver(views(account.id, count));
      expect(await operationsOf(account)).toBe(operations);
    }
    expect((await readMeter(account.id)).usedTenths).toBe(203);
  });

  it("A batch of views is logged, each with its type, class, weight, time and resource", async () => {
    const account = await openAccount();
    const viewedAt = Date.now() - 5000;
    const message = view(account.id, { viewedAt });
    await deliver([message]);
    expect((await readMeter(account.id)).operations).toEqual([
      {
        id: message.id,
        type: "view",
        class: "B",
        weight_tenths: 1,
        at: viewedAt,
        resource_id: "01hzy3v7k9q4r5s6t7v8w9x0yb",
        key_id: null,
      },
    ]);
  });

  it("A view of a thumbnail is logged with its upload", async () => {
    const account = await openAccount();
    const message = view(account.id);
    const objectKey = `uploads/${account.id}/thumbs/01hzy3v7k9q4r5s6t7v8w9x0yc-thumb.jpg`;
    await deliver([{ ...message, body: { ...message.body, objectKey } }]);
    const { operations } = await readMeter(account.id);
    expect(operations.map(({ resource_id }) => resource_id)).toEqual(["01hzy3v7k9q4r5s6t7v8w9x0yc"]);
  });

  it("A view sent twice after a lost answer counts once", async () => {
    const account = await openAccount();
    const [viewId, viewedAt] = [crypto.randomUUID(), Date.now()];
    const [first, second] = [view(account.id, { viewedAt }), view(account.id, { viewedAt })];
    await deliver([first, second].map((message) => ({ ...message, body: { ...message.body, viewId } })));
    expect((await readMeter(account.id)).usedTenths).toBe(1);
  });

  it("A view that is delivered twice counts once", async () => {
    const account = await openAccount();
    const messages = views(account.id, 7);
    await deliver(messages);
    const again = await deliver(messages.map((message) => ({ ...message, attempts: 2 })));
    expect(again.explicitAcks).toHaveLength(7);
    await deliver([...messages.slice(0, 3), view(account.id), ...messages.slice(0, 3)]);
    expect(await operationsOf(account)).toBe(0.8);
  });

  it("A batch of views is counted for each viewed account", async () => {
    const accounts = [await openAccount(), await openAccount(), await openAccount()];
    const messages = accounts.flatMap(({ id }, index) => views(id, index + 1));
    expect((await deliver(messages.sort(() => 0.5 - Math.random()))).explicitAcks).toHaveLength(6);
    for (const [index, account] of accounts.entries()) expect(await operationsOf(account)).toBe((index + 1) / 10);
  });

  it("A batch of views of an erased account is acknowledged", async () => {
    const result = await deliver(views("01hzy3v7k9q4r5s6t7v8w9x0ya", 2));
    expect(result.explicitAcks).toHaveLength(2);
    expect(result.retryMessages).toEqual([]);
  });

  it("A batch of views may be empty", async () => {
    expect(await deliver([])).toMatchObject({ outcome: "ok", explicitAcks: [], retryMessages: [] });
  });
});

describe("Unreachable accounts", () => {
  it("An unreachable account has its own messages retried, and no other's", async () => {
    const [broken, well] = [await openAccount(), await openAccount()];
    // The object does not know the account yet, so it looks the account up.
    await runInDurableObject(meterOf(broken.id), (_meter, { storage }) => storage.deleteAll());
    await restoreStores(broken.id);
    await replaceStores(broken.id, failingDatabases());
    const lost = views(broken.id, 3);
    const fine = views(well.id, 3);
    const result = await deliver([...lost.slice(0, 1), ...fine, ...lost.slice(1)]);
    expect([...result.explicitAcks].sort()).toEqual(fine.map(({ id }) => id).sort());
    expect(result.retryMessages.map(({ msgId }) => msgId).sort()).toEqual(lost.map(({ id }) => id).sort());
    await restoreStores(broken.id);
    expect((await deliver(lost.map((message) => ({ ...message, attempts: 2 })))).retryMessages).toEqual([]);
    expect((await readMeter(broken.id)).usedTenths).toBe(3);
    expect(await operationsOf(well)).toBe(0.3);
  });

  it("An unreachable account is retried later each time, within a queue's limits", async () => {
    const delays: number[] = [];
    const messages = [1, 2, 5, 100].map((attempts) => ({
      ...view("01hzy3v7k9q4r5s6t7v8w9x0ya", { attempts }),
      ack: () => {},
      retry: ({ delaySeconds }: QueueRetryOptions = {}) => void delays.push(delaySeconds ?? 0),
    }));
    await recordViews(messages, backoffSeconds, () => ({
      recordViews: () => Promise.reject(new Error("Overloaded")) as never,
    }));
    const [first = 0, second = 0, fifth = 0, last = 0] = delays;
    expect(first).toBeGreaterThan(0);
    expect(second).toBeGreaterThan(first);
    expect(fifth).toBeGreaterThan(second);
    expect(last).toBeLessThanOrEqual(12 * 60 * 60);
    expect(last).toBeGreaterThanOrEqual(fifth);
  });

  it("An unreachable account is called once for all its messages", async () => {
    const account = await openAccount();
    const calls: number[] = [];
    const batch = createMessageBatch<FileViewed>(QUEUE, views(account.id, 50));
    await recordViews(
      batch.messages,
      backoffSeconds,
      (accountId) =>
        ({
          recordViews: (records: readonly { id: string; at: number; resourceId: string }[]) => {
            calls.push(records.length);
            return meterOf(accountId).recordViews(records);
          },
        }) as ReturnType<typeof meterOf>,
    );
    expect(calls).toEqual([50]);
    expect(await operationsOf(account)).toBe(5);
  });
});

describe("Dead letters", () => {
  const DEAD_QUEUE = "media-host-views-dead";
  const consumer = /queue = "media-host-views-dead"\n(?:\w+ = .*\n)*?max_retries = (\d+)/.exec(configuration);
  const maxRetries = Number(consumer?.[1]);

  it("Views that failed ten times go to a queue with a consumer, and are counted once", async () => {
    expect(configuration).toContain(`dead_letter_queue = "${DEAD_QUEUE}"`);
    expect(maxRetries).toBeGreaterThan(0);
    const account = await openAccount();
    const messages = views(account.id, 4);
    await deliver(messages.slice(0, 2));
    // A dead-letter queue keeps a message's id.
    expect((await deliver(messages, DEAD_QUEUE)).explicitAcks).toHaveLength(4);
    expect((await deliver(messages, DEAD_QUEUE)).explicitAcks).toHaveLength(4);
    expect(await operationsOf(account)).toBe(0.4);
  });

  it("Views that failed ten times are retried for days, later each time, within a queue's limits", async () => {
    const account = await openAccount();
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => storage.deleteAll());
    await restoreStores(account.id);
    await replaceStores(account.id, failingDatabases());
    const delays: number[] = [];
    for (let attempts = 1; attempts < MAX_DEAD_ATTEMPTS; attempts++) {
      const sent = view(account.id, { attempts });
      const { delays: asked } = await deliverJobs([sent], { processor: () => made(), queue: DEAD_QUEUE });
      delays.push(asked.get(sent.id) ?? 0);
    }
    await restoreStores(account.id);
    const hours = delays.reduce((sum, delay) => sum + delay) / 3600;
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(delays[0]).toBe(15 * 60);
    // Cloudflare Queues, "Limits": a delay is at most 12 hours; a queue keeps a message for four days unless configured otherwise.
    expect(Math.max(...delays)).toBeLessThanOrEqual(12 * 3600);
    expect(hours).toBeGreaterThan(3 * 24);
    expect(hours).toBeLessThan(4 * 24 - 6);
  });
});

describe("The month's limit", () => {
  it("Views over the month's limit are counted, and files are served", async () => {
    const account = await openAccount();
    const { url } = await uploadOne(account.token, { name: "a.png", bytes: png() });
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
      storage.sql.exec("UPDATE account SET used_tenths = 100000");
    });
    await restoreStores(account.id);
    await deliver(views(account.id, 3));
    expect((await readMeter(account.id)).usedTenths).toBe(100_003);
    expect((await call(new URL(url).pathname)).status).toBe(200);
  });
});

describe("Views by URL", () => {
  it("A view by a file's URL counts through the queue; later ranges and HEAD do not", async () => {
    const account = await openAccount();
    const { _id, url } = await uploadOne(account.token, { name: "a.mp4", bytes: mp4(5000) });
    const { pathname } = new URL(url);
    const requests: [RequestInit, number][] = [
      [{}, 200],
      [{ headers: { Range: "bytes=0-99" } }, 206],
      [{ headers: { Range: "bytes=0-1" } }, 206],
      [{ headers: { Range: "bytes=100-199" } }, 206],
      [{ headers: { Range: "bytes=9999-" } }, 416],
      [{ method: "HEAD" }, 200],
    ];
    for (const [init, status] of requests) {
      const response = await call(pathname, init);
      expect(response.status).toBe(status);
      await response.arrayBuffer();
    }
    await expect.poll(() => operationsOf(account), { timeout: 10_000, interval: 250 }).toBe(1.2);
    const { operations } = await readMeter(account.id);
    expect(operations.filter(({ type }) => type === "view").map((operation) => operation.resource_id)).toEqual([
      _id,
      _id,
    ]);
  });
});
