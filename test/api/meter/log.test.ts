import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { Ledger } from "../../../src/meter/books/ledger.ts";
import { OperationLog } from "../../../src/meter/books/operation-log.ts";
import { meterOf, readMeter, restoreStores } from "../../support/api/account-state.ts";
import { openAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { png } from "../../support/media/samples.ts";

const UPLOAD_ID = "01hzy3v7k9q4r5s6t7v8w9x0yb";
const NOW = Date.now();

/** Views one second apart, as the queue's messages have them. */
function views(from: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    return { id: number.toString(16).padStart(32, "0"), at: NOW - 10_000_000 + number, resourceId: UPLOAD_ID };
  });
}

/** Runs work on the account's own tables, in a database of limited size. */
async function withLedger<T>(
  { id }: TestAccount,
  roomBytes: number,
  work: (ledger: Ledger, sql: SqlStorage) => T,
): Promise<T> {
  await meterOf(id).read();
  const result = await runInDurableObject(meterOf(id), (_meter, { storage: { sql } }) =>
    work(new Ledger(sql, new OperationLog(sql, sql.databaseSize + roomBytes)), sql),
  );
  // The figures are kept in memory too.
  await restoreStores(id);
  return result;
}

describe("Log of an account with many views", () => {
  it("A log that is too large drops its oldest views, and still counts each view", async () => {
    const account = await openAccount();
    await uploadOne(account.token, { name: "a.png", bytes: png() });
    const room = 1_000_000;
    const [bound, largest] = await withLedger(account, room, (ledger, sql) => {
      const startBytes = sql.databaseSize;
      let largestBytes = 0;
      for (let from = 0; from < 60_000; from += 1000) {
        ledger.recordViews(views(from, 1000), [], NOW);
        largestBytes = Math.max(largestBytes, sql.databaseSize);
      }
      return [startBytes + room, largestBytes];
    });
    expect(largest).toBeLessThanOrEqual(bound);
    const { operations, usedTenths } = await readMeter(account.id);
    expect(usedTenths).toBe(60_010);
    const kept = operations.filter(({ type }) => type === "view");
    expect(kept.length).toBeGreaterThan(5000);
    expect(kept.length).toBeLessThan(15_000);
    // The newest views are complete, and the other operations stay.
    expect(kept.map(({ id }) => id)).toEqual(views(60_000 - kept.length, kept.length).map(({ id }) => id));
    expect(operations.filter(({ type }) => type === "upload")).toHaveLength(1);
  });

  it("The log recognises a repeated view after it has dropped older ones", async () => {
    const account = await openAccount();
    await withLedger(account, 1_000_000, (ledger) => {
      for (let from = 0; from < 20_000; from += 1000) ledger.recordViews(views(from, 1000), [], NOW);
      ledger.recordViews(views(19_500, 500), [], NOW);
      ledger.recordViews(views(19_900, 101), [], NOW);
    });
    expect((await readMeter(account.id)).usedTenths).toBe(20_001);
  });

  it("The log grows by less than 100 bytes a view", async () => {
    const account = await openAccount();
    const bytes = await withLedger(account, Number.POSITIVE_INFINITY, (ledger, sql) => {
      const startBytes = sql.databaseSize;
      // A queue's messages come about in order, and their ids are random.
      const shuffled = views(0, 20_000)
        .map((view, index) => ({
          ...view,
          id: crypto.randomUUID().replaceAll("-", ""),
          order: index + Math.random() * 50,
        }))
        .sort((a, b) => a.order - b.order);
      for (let from = 0; from < shuffled.length; from += 100)
        ledger.recordViews(shuffled.slice(from, from + 100), [], NOW);
      return (sql.databaseSize - startBytes) / shuffled.length;
    });
    expect(bytes).toBeLessThan(100);
  });

  it("The log drops views older than 90 days in bounded steps, and returns when to continue", async () => {
    const account = await openAccount();
    const later = NOW + 100 * 86_400_000;
    const left = await withLedger(account, Number.POSITIVE_INFINITY, ({ log }, sql) => {
      log.recordViews(views(0, 7000));
      const counts: unknown[] = [];
      for (let pass = 0; pass < 3; pass++) {
        const nextAt = log.nextPruningAt();
        counts.push([nextAt !== null && nextAt < later, sql.exec("SELECT count(*) AS n FROM operations").one().n]);
        log.prune(later);
      }
      return counts;
    });
    expect(left).toEqual([
      [true, 7000],
      [true, 2000],
      [false, 0],
    ]);
  });
});

describe("Log of an object whose earlier version kept views beside uploads", () => {
  it("The old log is kept: its operations are not counted again, and expire as before", async () => {
    const account = await openAccount();
    const upload = await uploadOne(account.token, { name: "a.png", bytes: png() });
    await runInDurableObject(meterOf(account.id), (_meter, { storage: { sql } }) => {
      sql.exec(`
        DROP VIEW operations;
        DROP TABLE class_b_operations;
        ALTER TABLE class_a_operations DROP COLUMN storage_bytes;
        ALTER TABLE class_a_operations DROP COLUMN row;
        ALTER TABLE class_a_operations RENAME TO operations;
      `);
      const insert = "INSERT INTO operations VALUES (?, 'view', 'B', 1, ?, ?, NULL)";
      sql.exec(insert, "view:old", NOW - 91 * 86_400_000, `uploads/${account.id}/${UPLOAD_ID}-a.png`);
      sql.exec(insert, "view:new", NOW, `uploads/${account.id}/${UPLOAD_ID}-a.png`);
    });
    await restoreStores(account.id);
    const settle = { uploadId: upload._id, sizeBytes: upload.fileSize };
    expect((await meterOf(account.id).settleUploads([settle])).missing).toEqual([]);
    await meterOf(account.id).recordViews(views(0, 1));
    await runDurableObjectAlarm(meterOf(account.id));
    const { operations, usedTenths } = await readMeter(account.id);
    expect(operations.map(({ type, id }) => [type, id])).toEqual([
      ["view", views(0, 1)[0]?.id],
      ["upload", `upload:${upload._id}`],
      ["view", "view:new"],
    ]);
    expect(usedTenths).toBe(11);
  });
});
