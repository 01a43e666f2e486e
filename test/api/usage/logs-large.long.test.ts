import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { packViews } from "../../../src/domain/view-pack.ts";
import { OperationLog } from "../../../src/meter/books/operation-log.ts";
import { meterOf, restoreStores } from "../../support/api/account-state.ts";
import { openProAccount } from "../../support/api/api.ts";
import { readLogs } from "../../support/usage/logs.ts";
import { newView, VIEWED_UPLOAD } from "../../support/views/collected.ts";

// The log of a busy Pro account after 90 days: a million uploads and deletions, two million views in minutes with many views, and ten
// thousand minutes with one.

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const CLASS_A = 1_000_000;
const BUSY_MINUTES = 1000;
const VIEWS_A_MINUTE = 2000;
const QUIET_MINUTES = 10_000;
/** The longest wait of another request for the object, on a machine that others use as well. */
const MAX_WAIT_MS = 100;
const TIMES = 5;

let account: Awaited<ReturnType<typeof openProAccount>>;
const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

beforeAll(async () => {
  account = await openProAccount();
  await runInDurableObject(meterOf(account.id), async (_meter, { storage: { sql } }) => {
    // The rows span 89 days, newest last; every thousandth is a deletion, every tenth has no key.
    sql.exec(
      `INSERT INTO class_a_operations (id, type, class, weight_tenths, at, resource_id, key_id)
       WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${CLASS_A})
       SELECT 'upload:' || n, iif(n % 1000 = 0, 'delete', 'upload'), 'A', 10, ? + n * 7689, ?, iif(n % 10 = 0, NULL, ?) FROM numbers`,
      now - 89 * DAY_MS,
      VIEWED_UPLOAD,
      account.apiKeyId,
    );
    const log = new OperationLog(sql);
    let sequence = 0;
    const record = (count: number, at: number) => {
      const views = Array.from({ length: count }, (_, index) => newView(at + (index % MINUTE_MS)));
      log.recordViews([], [{ journal: "0123456789ab", sequence: sequence++, bytes: packViews(views) }]);
    };
    for (let minute = 0; minute < QUIET_MINUTES; minute++) record(1, now - 20 * DAY_MS + minute * MINUTE_MS);
    for (let minute = 1; minute <= BUSY_MINUTES; minute++) record(VIEWS_A_MINUTE, now - minute * MINUTE_MS);
  });
  await restoreStores(account.id);
}, 300_000);

/** Repeats a small call to the object during the work. @returns the longest time between two answers */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  const meter = meterOf(account.id);
  await meter.read();
  let [isDone, longestMs, answeredAt] = [false, 0, performance.now()];
  const working = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await meter.read();
    const now = performance.now();
    [longestMs, answeredAt] = [Math.max(longestMs, now - answeredAt), now];
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await working;
  return longestMs;
}

/** The least of several runs, because other work of the machine does not affect all of them. */
async function least(measure: () => Promise<number>): Promise<number> {
  const measured: number[] = [];
  for (let time = 0; time < TIMES; time++) measured.push(await measure());
  return Math.min(...measured);
}

const day = (days: number) => new Date(now - days * DAY_MS).toISOString().slice(0, 10);

describe("Logs of three million operations", () => {
  it.each([
    ["its first page", { limit: 100 }],
    ["its deepest page", { limit: 100, page: 100 }],
    ["a key's deepest page", { limit: 100, page: 100, keyId: "own" }],
    ["the rare deletions", { limit: 100, page: 10, type: "delete" }],
    ["an unknown key", { keyId: "unknown" }],
    ["the views of busy minutes", { limit: 100, page: 100, type: "view" }],
    ["the views of quiet minutes", { limit: 100, page: 40, class: "B", from: day(18), to: day(15) }],
    ["a day long ago", { limit: 100, page: 50, from: day(60), to: day(60) }],
  ] as const)("A log listing does not delay other calls to the object: %s", async (title, query) => {
    const own = { ...query, ...("keyId" in query && query.keyId === "own" ? { keyId: account.apiKeyId } : {}) };
    let shown = 0;
    const waitMs = await least(() =>
      longestWait(async () => {
        const { logs, pagination } = await readLogs(account.apiKey, own);
        shown = logs.length;
        expect(pagination.total).toBeLessThanOrEqual(10_000);
      }),
    );
    console.log(`${title}: others waited ${waitMs.toFixed(0)} ms`);
    expect(shown > 0).toBe(title !== "an unknown key");
    expect(waitMs).toBeLessThan(MAX_WAIT_MS);
  });

  it("A log listing continues after the counted operations, at the cost of a page", async () => {
    const last = await readLogs(account.apiKey, { limit: 100, page: 100, class: "A" });
    expect(last.pagination).toMatchObject({ total: 10_000, totalPages: 100 });
    const { logs } = await readLogs(account.apiKey, {
      limit: 100,
      class: "A",
      cursor: last.pagination.nextCursor ?? "",
    });
    expect(logs[0]?._id).toBe(`upload:${CLASS_A - 10_001}`);
  });
});

it("Operations older than 90 days are removed in steps that never block the object for long", async () => {
  const meter = meterOf(account.id);
  const rows = () =>
    runInDurableObject(meter, (_meter, { storage: { sql } }) =>
      Number(sql.exec("SELECT count(*) AS n FROM class_a_operations").one().n),
    );
  await runInDurableObject(meter, async (_meter, { storage }) => {
    const old = "UPDATE class_a_operations SET at = at - ? WHERE type = 'upload' AND at < ?";
    storage.sql.exec(old, 10 * DAY_MS, now - 88 * DAY_MS);
    await storage.setAlarm(Date.now() + 3_600_000);
  });
  const before = await rows();
  const waits: number[] = [];
  for (let step = 0; step < 5; step++) {
    const startedAt = performance.now();
    expect(await runDurableObjectAlarm(meter)).toBe(true);
    waits.push(performance.now() - startedAt);
  }
  console.log(`steps of the alarm: ${waits.map((ms) => ms.toFixed(0)).join(", ")} ms`);
  expect(before - (await rows())).toBe(2500);
  expect(Math.min(...waits)).toBeLessThan(MAX_WAIT_MS);
});
