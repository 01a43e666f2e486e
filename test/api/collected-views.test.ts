import { createExecutionContext, createMessageBatch, getQueueResult, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { SEQUENCE_VIEWS } from "../../src/cdn/journal-store.ts";
import { newId } from "../../src/domain/ids.ts";
import type { FileViewed } from "../../src/domain/queue-messages.ts";
import type { View } from "../../src/domain/view-pack.ts";
import { backoffSeconds } from "../../src/jobs/backoff.ts";
import { recordViews, type ViewsMessage } from "../../src/jobs/record-views.ts";
import worker from "../../src/worker.ts";
import configuration from "../../wrangler.toml?raw";
import { meterOf, readMeter, replaceStores, restoreStores } from "../support/api/account-state.ts";
import { bearer, call, openAccount } from "../support/api/api.ts";
import { failingDatabases } from "../support/api/databases.ts";
import { message, type Sent } from "../support/thumbnails/queue.ts";
import { collected, newView, newViews, VIEWED_UPLOAD } from "../support/views/collected.ts";

const QUEUE = "media-host-views";

async function deliver(...sent: readonly Sent[]): Promise<{ acked: string[]; retried: string[] }> {
  const batch = createMessageBatch(QUEUE, [...sent]);
  await worker.queue(batch, env);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { acked: explicitAcks, retried: retryMessages.map(({ msgId }) => msgId) };
}

/** The message of a view that no journal confirmed. */
function alone(accountId: string, { id, at }: View): Sent {
  const objectKey = `uploads/${accountId}/${VIEWED_UPLOAD}-a.png`;
  return message({ type: "file.viewed", viewId: id, viewedAt: at, accountId, objectKey } satisfies FileViewed);
}

async function countedOf(accountId: string): Promise<{ views: number; ids: string[] }> {
  const { usedTenths, operations } = await readMeter(accountId);
  return { views: usedTenths, ids: operations.map(({ id }) => id) };
}

const idsOf = (views: readonly View[]) => views.map(({ id }) => id).sort();

describe("Collected views", () => {
  it("Collected views are counted by account and logged with type, class, weight, time, resource", async () => {
    const [first, second] = [await openAccount(), await openAccount()];
    const views = newViews(3, Date.now() - 5000);
    const sent = message(collected({ [first.id]: views, [second.id]: newViews(12) }));
    expect(await deliver(sent)).toEqual({ acked: [sent.id], retried: [] });
    expect((await readMeter(first.id)).operations).toEqual(
      idsOf(views).map((id) => ({
        id,
        type: "view",
        class: "B",
        weight_tenths: 1,
        at: views[0]?.at,
        resource_id: VIEWED_UPLOAD,
        key_id: null,
      })),
    );
    const overview = await call("/stats/overview", { headers: bearer(second.token) });
    expect(await overview.json()).toMatchObject({ operations: { used: 1.2, classA: 0, classB: 1.2 } });
  });

  it("Collected views that are delivered twice, at once or later, count once", async () => {
    const { id } = await openAccount();
    const views = newViews(7);
    const sent = collected({ [id]: views });
    await deliver(message(sent), message(sent));
    await restoreStores(id);
    await deliver(message(sent, 2));
    await deliver(message(collected({ [id]: newViews(2) }, { sequence: 2 })), message(sent, 3));
    expect((await countedOf(id)).views).toBe(9);
  });

  it("Collected views of journals with the same numbers are counted separately", async () => {
    const { id } = await openAccount();
    await deliver(message(collected({ [id]: newViews(1) })));
    await deliver(message(collected({ [id]: newViews(1) }, { journal: "aaaaaaaaaaaa" })));
    await deliver(message(collected({ [id]: newViews(1) }, { sequence: 11 })));
    expect((await countedOf(id)).views).toBe(3);
  });

  it("Collected views of an erased account are acknowledged", async () => {
    const sent = message(collected({ "01hzy3v7k9q4r5s6t7v8w9x0ya": newViews(2) }));
    expect((await deliver(sent)).acked).toEqual([sent.id]);
  });

  it("The collected views of one minute make one row in the account's object, for any number of journals", async () => {
    const { id } = await openAccount();
    const at = Date.now();
    const sent = Array.from({ length: 24 }, (_, number) =>
      message(collected({ [id]: newViews(40, at) }, { journal: `journal-${number % 4}`, sequence: number })),
    );
    await deliver(...sent);
    const rows = await runInDurableObject(meterOf(id), (_, { storage }) =>
      storage.sql.exec("SELECT count(*) AS n FROM view_packs").one(),
    );
    expect(rows).toEqual({ n: 1 });
    expect((await countedOf(id)).views).toBe(960);
  });
});

describe("Views in journal and queue", () => {
  it.each(["before", "after", "together"] as const)(
    "A view in its journal and in the queue counts once: %s",
    async (order) => {
      const { id } = await openAccount();
      const both = newView();
      const views = [newView(), both, newView()];
      const [pack, single] = [message(collected({ [id]: views })), alone(id, both)];
      if (order === "together") {
        await deliver(single, pack);
      } else {
        for (const sent of order === "before" ? [single, pack] : [pack, single]) {
          await deliver(sent);
          await restoreStores(id);
        }
      }
      for (const again of [pack, single, alone(id, both)]) await deliver(again);
      expect(await countedOf(id)).toEqual({ views: 3, ids: idsOf(views) });
    },
  );

  it("A view counts once if the queue delivers it hours after its journal, or hours before", async () => {
    const { id } = await openAccount();
    const now = Date.now();
    const [old, older] = [newView(now - 4 * 3_600_000), newView(now - 5 * 3_600_000)];
    await deliver(message(collected({ [id]: [old, newView(now)] })), alone(id, older));
    for (let sequence = 2; sequence < 10; sequence++) {
      await deliver(message(collected({ [id]: newViews(2, now - sequence * 1_800_000) }, { sequence })));
    }
    await deliver(alone(id, old), message(collected({ [id]: [older] }, { sequence: 10 })));
    expect((await countedOf(id)).views).toBe(3 + 16);
  });

  it("A view differs from other views of the same millisecond", async () => {
    const { id } = await openAccount();
    const at = Date.now();
    await deliver(message(collected({ [id]: newViews(5, at) })), alone(id, newView(at)));
    expect((await countedOf(id)).views).toBe(6);
  });
});

describe("Unreachable accounts", () => {
  it("An unreachable account's message is delivered again, and counts once for other accounts", async () => {
    const [broken, well] = [await openAccount(), await openAccount()];
    await runInDurableObject(meterOf(broken.id), (_meter, { storage }) => storage.deleteAll());
    await restoreStores(broken.id);
    await replaceStores(broken.id, failingDatabases());
    const sent = message(collected({ [broken.id]: newViews(3), [well.id]: newViews(4) }));
    const other = message(collected({ [well.id]: newViews(1) }, { sequence: 2 }));
    expect(await deliver(sent, other)).toEqual({ acked: [other.id], retried: [sent.id] });
    await restoreStores(broken.id);
    expect((await deliver({ ...sent, attempts: 2 })).acked).toEqual([sent.id]);
    expect([(await countedOf(broken.id)).views, (await countedOf(well.id)).views]).toEqual([3, 5]);
  });
});

describe("Ten thousand accounts in one batch", () => {
  it("A batch makes one call for each account, a bounded number at once", async () => {
    const accounts = Array.from({ length: 10_000 }, () => newId(Date.now()));
    const sent = Array.from({ length: 10 }, (_, part) => {
      const own = accounts.slice(part * 1000, (part + 1) * 1000);
      return message(collected(Object.fromEntries(own.map((id) => [id, newViews(1)])), { sequence: part }));
    });
    const batch = createMessageBatch(QUEUE, sent);
    const called: string[] = [];
    let [running, most] = [0, 0];
    await recordViews(batch.messages as readonly ViewsMessage[], backoffSeconds, (accountId) => ({
      recordViews: (async () => {
        called.push(accountId);
        most = Math.max(most, ++running);
        await Promise.resolve();
        running -= 1;
      }) as never,
    }));
    expect(called.sort()).toEqual(accounts.sort());
    expect(most).toBeLessThanOrEqual(50);
  });

  it("A batch of ten thousand accounts stays within the calls of one invocation", () => {
    const number = (name: string, text = configuration) =>
      Number(new RegExp(`^${name} = (\\d+)$`, "m").exec(text)?.[1]);
    const consumer = configuration.slice(configuration.indexOf(`queue = "${QUEUE}"\n`));
    const attempts = 3;
    expect(number("max_batch_size", consumer) * SEQUENCE_VIEWS * attempts).toBeLessThanOrEqual(number("subrequests"));
  });
});
