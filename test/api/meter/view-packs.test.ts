import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { packViews, type View } from "../../../src/domain/view-pack.ts";
import { Ledger } from "../../../src/meter/books/ledger.ts";
import { OperationLog } from "../../../src/meter/books/operation-log.ts";
import type { ViewPack } from "../../../src/meter/views/view-packs.ts";
import { meterOf } from "../../support/api/account-state.ts";
import { openAccount } from "../../support/api/api.ts";
import { newView, newViews } from "../../support/views/collected.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The beginning of a minute. */
const NOW = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

/** Runs work on the tables of a new account's object. */
async function withLedger<T>(work: (ledger: Ledger, sql: SqlStorage) => T, roomBytes = Number.POSITIVE_INFINITY) {
  const { id } = await openAccount();
  await meterOf(id).read();
  return runInDurableObject(meterOf(id), (_meter, { storage: { sql } }) =>
    work(new Ledger(sql, new OperationLog(sql, sql.databaseSize + roomBytes)), sql),
  );
}

let sequence = 0;

function pack(views: readonly View[]): ViewPack {
  sequence += 1;
  return { journal: "0123456789ab", sequence, bytes: packViews(views) };
}

function rowsOf(sql: SqlStorage): { bytes: number }[] {
  return sql.exec<{ bytes: number }>("SELECT length(packs) AS bytes FROM view_packs ORDER BY id").toArray();
}

/** The whole log, page by page. */
function pages(log: OperationLog, size: number): { id: string; at: number }[] {
  const listed: { id: string; at: number }[] = [];
  for (;;) {
    const page = log.list(size, listed.at(-1));
    expect(page.length).toBeLessThanOrEqual(size);
    if (page.length === 0) return listed;
    listed.push(...page);
  }
}

describe("Log of packed views", () => {
  it("Packed views are listed newest first, page by page, among single views and other operations", async () => {
    const listed = await withLedger((ledger) => {
      const all: { id: string; at: number }[] = [];
      for (let number = 0; number < 40; number++) {
        // Packs reach back over the minutes before, and some views are of the same millisecond.
        const end = NOW + number * 45_000;
        const views = Array.from({ length: 1 + (number % 7) }, (_, back) => newView(end - back * 41_000));
        ledger.recordViews([], [pack(views)], NOW);
        const single = newView(end - 1000 * (number % 3));
        ledger.recordViews([single], [], NOW);
        const upload = { id: `upload:${number}`, type: "upload", at: end, resourceId: "x", keyId: null } as const;
        ledger.record(upload, 1, NOW);
        all.push(...views, single, upload);
      }
      const expected = all.map(({ id, at }) => ({ id, at })).sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
      const read = [1, 7, 1000].map((size) => pages(ledger.log, size).map(({ id, at }) => ({ id, at })));
      return { expected, read };
    });
    for (const read of listed.read) expect(read).toEqual(listed.expected);
  });

  it("A minute's packs use one row, and a second one beyond half a megabyte", async () => {
    const rows = await withLedger((ledger, sql) => {
      ledger.recordViews([], [pack(newViews(10, NOW)), pack(newViews(10, NOW + 59_999))], NOW);
      const one = rowsOf(sql).length;
      ledger.recordViews(
        [],
        Array.from({ length: 60 }, () => pack(newViews(1000, NOW + MINUTE_MS))),
        NOW,
      );
      expect(ledger.log.list(1e9)).toHaveLength(60_020);
      return [one, rowsOf(sql)] as const;
    });
    expect(rows[0]).toBe(1);
    expect(rows[1]).toHaveLength(3);
    for (const { bytes } of rows[1]) expect(bytes).toBeLessThanOrEqual(512 * 1024);
  });

  it("Packed views take less than 20 bytes each for a popular file, and less than 100 in any case", async () => {
    const [famous, rare] = await withLedger((ledger, sql) => {
      const grown = (packsOf: (minute: number) => ViewPack[], views: number) => {
        const startBytes = sql.databaseSize;
        for (let minute = 0; minute < 100; minute++) ledger.recordViews([], packsOf(minute), NOW);
        return (sql.databaseSize - startBytes) / views;
      };
      const often = (minute: number) => [
        pack(Array.from({ length: 500 }, () => newView(NOW + minute * MINUTE_MS + Math.floor(Math.random() * 60_000)))),
      ];
      const seldom = (minute: number) =>
        Array.from({ length: 24 }, () => pack([newView(NOW + (minute + 100) * MINUTE_MS)]));
      return [grown(often, 50_000), grown(seldom, 2400)];
    });
    expect(famous).toBeLessThan(20);
    expect(rare).toBeLessThan(100);
  });

  it("The log drops packed views older than 90 days, and returns when to do it", async () => {
    await withLedger((ledger) => {
      const { log } = ledger;
      const kept = [newView(NOW - 89 * DAY_MS), newView(NOW)];
      ledger.recordViews(
        [],
        [pack(newViews(3, NOW - 92 * DAY_MS)), pack(kept), pack(newViews(2, NOW - 91 * DAY_MS))],
        NOW,
      );
      expect(log.nextPruningAt()).toBeLessThanOrEqual(NOW);
      log.prune(NOW);
      expect(
        log
          .list(100)
          .map(({ id }) => id)
          .sort(),
      ).toEqual(kept.map(({ id }) => id).sort());
      // The month's count is no sum over the log.
      expect(ledger.usedTenths(NOW)).toBe(7);
      expect(log.nextPruningAt()).toBeGreaterThan(NOW);
    });
  });

  it("A log of packed views that is too large drops the oldest, and still counts each view", async () => {
    const room = 1_000_000;
    await withLedger((ledger, sql) => {
      const bound = sql.databaseSize + room;
      let last: View[] = [];
      for (let minute = 0; minute < 150; minute++) {
        last = newViews(1000, NOW + minute * MINUTE_MS);
        ledger.recordViews([], [pack(last)], NOW);
        expect(sql.databaseSize).toBeLessThanOrEqual(bound);
      }
      expect(ledger.usedTenths(NOW)).toBe(150_000);
      const listed = ledger.log.list(1e9);
      expect(listed.length).toBeGreaterThan(20_000);
      expect(
        listed
          .slice(0, 1000)
          .map(({ id }) => id)
          .sort(),
      ).toEqual(last.map(({ id }) => id).sort());
    }, room);
  });

  it("A malformed pack is rejected completely", async () => {
    await withLedger((ledger) => {
      const broken = { ...pack(newViews(3)), bytes: packViews(newViews(3)).slice(0, -1) };
      expect(() => ledger.recordViews([], [broken], NOW)).toThrow(RangeError);
      expect(ledger.log.list(10)).toEqual([]);
    });
  });
});
