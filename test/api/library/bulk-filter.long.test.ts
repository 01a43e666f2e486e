import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { openLibraries } from "../../../src/db/library/library.ts";
import type { AccountContext } from "../../../src/services/context.ts";
import { changeStatusOfMatches } from "../../../src/services/images/change-status.ts";
import { type Database, seedLibrary } from "../../bench/library/seed.ts";
import { openAccount, type TestAccount } from "../../support/api/api.ts";
import { libraries } from "../../support/api/databases.ts";
import { CountedD1 } from "../../support/costs/counted-d1.ts";
import { bulkMatches, type ChangedMatches, listPage, type Query, type Selection } from "../../support/library/api.ts";
import { toFilter } from "../../support/library/to-filter.ts";

const UPLOADS = 25_000;
/** The most uploads that one statement may read. It reads two rows for each: one of an index and one of the table. */
const MAX_ROWS_READ = 2 * 20_000 + 500;
const CALL = 10_000;

type Verb = Parameters<typeof bulkMatches>[1];

/** Repeats calls until no cursor is left. @returns the number of uploads that each call changed */
async function walk(token: string, verb: Verb, body: Selection & Record<string, unknown>): Promise<number[]> {
  const changed: number[] = [];
  let cursor: string | undefined;
  for (let calls = 0; calls < 50; calls++) {
    const answer: ChangedMatches = await bulkMatches(token, verb, cursor === undefined ? body : { ...body, cursor });
    changed.push(answer.updated);
    if (answer.nextCursor === null) return changed;
    cursor = answer.nextCursor;
  }
  throw new Error("The cursors do not come to an end");
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const [shard = "00"] = libraries.shards;

describe("Changes by filter of a large library", () => {
  let account: TestAccount;
  let token: string;
  const totalOf = async (query: Query) => (await listPage(token, { ...query, limit: 1 })).pagination.total;

  beforeAll(async () => {
    account = await openAccount("business", shard);
    token = account.token;
    await seedLibrary(libraries.bindingOf(shard) as unknown as Database, account.id, UPLOADS);
  }, 120_000);

  it.each<Query>([
    { folderId: "all" },
    { folderId: "all", status: "all", favorite: true },
    { q: "img_" },
    { q: "im" },
    { q: "0001" },
    { folderId: "all", tags: "a3,b4" },
    { folderId: "all", excludeTags: "a3,b4" },
    { folderId: "all", minSize: 20_000 },
    { folderId: "all", mimePrefix: "image/", favorite: false, from: "2024-06-01", to: "2025-06-01" },
    { status: "trash", minSize: 24_000 },
    { minSize: 4_000_000 },
  ])(
    "A change by filter %j reaches each upload that a listing counts, once",
    async (query) => {
      const total = await totalOf(query);
      const body = { filter: toFilter(query), addTags: ["found"] };
      const calls = await walk(token, "update", body);
      expect(Math.max(...calls)).toBeLessThanOrEqual(CALL);
      expect(sum(calls)).toBe(total);
      expect(await totalOf({ ...query, tags: query.tags === undefined ? "found" : `${query.tags},found` })).toBe(total);
      expect(await totalOf({ folderId: "all", status: "all", tags: "found" })).toBe(total);
      expect(sum(await walk(token, "update", body))).toBe(0);
      const undo = { filter: { folderId: "all", status: "all", tags: ["found"] }, removeTags: ["found"] };
      expect(sum(await walk(token, "update", undo))).toBe(total);
    },
    120_000,
  );

  it("A change by filter trashes and restores a whole library, at most 10,000 a call", async () => {
    const active = await totalOf({ folderId: "all" });
    const calls = await walk(token, "trash", { filter: { folderId: "all" } });
    expect(calls.length).toBeGreaterThan(2);
    expect(sum(calls)).toBe(active);
    expect(await totalOf({ folderId: "all" })).toBe(0);
    expect(sum(await walk(token, "restore", { filter: { from: "2024-01-01" } }))).toBe(UPLOADS);
    expect(await totalOf({ folderId: "all" })).toBe(UPLOADS);
  }, 120_000);

  it("A change by filter that was interrupted between two steps is finished by the same call", async () => {
    const counted = new CountedD1(libraries.bindingOf(shard));
    let batches = 0;
    const dying = {
      prepare: (query: string) => counted.prepare(query),
      async batch(statements: Parameters<CountedD1["batch"]>[0]) {
        // The fourth: of the second thousand, after its uploads were read.
        if (++batches === 4) throw new Error("The isolate was reset");
        return counted.batch(statements);
      },
    };
    const context = (binding: unknown) =>
      ({
        library: openLibraries({ ...env, [`LIBRARY_${shard}`]: binding } as Env).open(shard),
        accountId: account.id,
        principal: { kind: "session" },
        now: Date.now,
        waitUntil: () => {},
      }) as unknown as AccountContext;
    const selection = {
      filter: { status: "active", folderId: "all", minSizeBytes: 20_000, tags: [], excludedTags: [] },
    } as const;
    const before = await totalOf({ folderId: "all", minSize: 20_000 });
    await expect(changeStatusOfMatches(context(dying), selection, "trash")).rejects.toThrow("reset");
    expect(await totalOf({ folderId: "all", minSize: 20_000 })).toBe(before - 1000);
    const { updated, nextCursor } = await changeStatusOfMatches(context(counted), selection, "trash");
    expect([updated, nextCursor]).toEqual([before - 1000, null]);
    expect(counted.mostRowsRead).toBeLessThan(100_000);
  }, 60_000);

  it("A change by filter has no statement that reads more uploads than a listing's step", async () => {
    for (const filter of [{ minSizeBytes: 40_000_000 }, { search: "img_", maxSizeBytes: 0 }, { mimePrefix: "other" }]) {
      const counted = new CountedD1(libraries.bindingOf(shard));
      const context = {
        library: openLibraries({ ...env, [`LIBRARY_${shard}`]: counted } as unknown as Env).open(shard),
        accountId: account.id,
        principal: { kind: "session" },
        now: Date.now,
        waitUntil: () => {},
      } as unknown as AccountContext;
      const all = { status: "trash", folderId: "all", tags: [], excludedTags: [] } as const;
      await changeStatusOfMatches(context, { filter: { ...all, ...filter } }, "active");
      expect(counted.mostRowsRead, JSON.stringify(filter)).toBeLessThan(MAX_ROWS_READ);
    }
  });
});
