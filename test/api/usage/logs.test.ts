import { runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { packViews } from "../../../src/domain/view-pack.ts";
import { Ledger } from "../../../src/meter/books/ledger.ts";
import type { LogFilter, Operation } from "../../../src/meter/books/operation.ts";
import { OperationLog } from "../../../src/meter/books/operation-log.ts";
import { meterOf, restoreStores } from "../../support/api/account-state.ts";
import { createApiKey, openAccount, openProAccount, setTier, upload, uploadOne } from "../../support/api/api.ts";
import { deleteImage } from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";
import { seeded } from "../../support/uploads/multipart.ts";
import { type LogParameters, readLogs, requestLogs } from "../../support/usage/logs.ts";
import { newView, newViews, VIEWED_UPLOAD } from "../../support/views/collected.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

type ProAccount = Awaited<ReturnType<typeof openProAccount>>;

describe("GET /logs", () => {
  it("`GET /logs` shows each operation's type, class, weight, time, resource, name and key, newest first", async () => {
    const account = await openProAccount();
    const other = await createApiKey(account.token);
    const startedAt = Date.now();
    const first = await uploadOne(account.apiKey, { name: "a.png", bytes: png() });
    const second = await uploadOne(account.token, { name: "b.png", bytes: png() });
    await deleteImage(other.key, first._id);
    const viewedAt = Date.now() + 1000;
    await meterOf(account.id).recordViews([{ id: "single", at: viewedAt, resourceId: second._id }]);
    const packed = { ...newView(viewedAt + 1), resourceId: second._id };
    await meterOf(account.id).recordViews([], [{ journal: "0123456789ab", sequence: 1, bytes: packViews([packed]) }]);
    const { logs, pagination } = await readLogs(account.apiKey);
    const view = {
      type: "view",
      class: "B",
      weight: 0.1,
      resourceId: second._id,
      originalFilename: "b.png",
      keyId: null,
    };
    const time = expect.any(String);
    expect(logs).toEqual([
      { ...view, _id: packed.id, timestamp: new Date(packed.at).toISOString() },
      { ...view, _id: "single", timestamp: new Date(viewedAt).toISOString() },
      ...[
        { type: "delete", resourceId: first._id, originalFilename: null, keyId: other._id },
        { type: "upload", resourceId: second._id, originalFilename: "b.png", keyId: null },
        { type: "upload", resourceId: first._id, originalFilename: null, keyId: account.apiKeyId },
      ].map((entry) => ({
        ...entry,
        _id: `${entry.type}:${entry.resourceId}`,
        class: "A",
        weight: 1,
        timestamp: time,
      })),
    ]);
    for (const { timestamp } of logs) expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(startedAt);
    expect(pagination).toEqual({ page: 1, limit: 50, total: 5, totalPages: 1, nextCursor: null });
  });

  it("`GET /logs` is for Pro and Business, by session or key: the tier decides", async () => {
    const account = await openAccount();
    const ask = async (token: string) => (await requestLogs(token)).status;
    const refused = await requestLogs(account.token);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toEqual({
      error: "API access requires Pro or Business tier",
      code: "api_tier_required",
      statusCode: 403,
    });
    expect(await ask(account.uploadKey)).toBe(403);
    for (const [tier, status] of [
      ["starter", 403],
      ["pro", 200],
      ["business", 200],
      ["free", 403],
    ] as const) {
      await setTier(account.email, tier);
      expect(await ask(account.token), tier).toBe(status);
    }
  });

  it("`GET /logs` has nothing of an unknown or foreign key", async () => {
    const [account, stranger] = [await openProAccount(), await openProAccount()];
    await uploadOne(account.apiKey, { name: "a.png", bytes: png() });
    const empty = { logs: [], pagination: { page: 1, limit: 50, total: 0, totalPages: 0, nextCursor: null } };
    expect(await readLogs(stranger.apiKey, { keyId: account.apiKeyId })).toEqual(empty);
    expect(await readLogs(account.apiKey, { keyId: stranger.apiKeyId })).toEqual(empty);
    expect(await readLogs(account.apiKey, { keyId: "no key at all" })).toEqual(empty);
    expect((await readLogs(account.apiKey, { keyId: account.apiKeyId })).logs).toHaveLength(1);
    expect((await readLogs(account.apiKey, { keyId: "", type: "", from: "" })).logs).toHaveLength(1);
  });

  it("`GET /logs` costs no operation, and omits failed requests", async () => {
    const account = await openProAccount();
    expect((await upload(account.apiKey, [{ name: "a.png", bytes: new Uint8Array([1]) }])).status).toBe(415);
    expect((await readLogs(account.apiKey)).logs).toEqual([]);
    expect((await requestLogs(account.apiKey)).headers.get("X-Operations-Used")).toBe("0");
  });

  it("`GET /logs` shows every operation once by cursor, even if new ones are logged", async () => {
    const account = await openProAccount();
    const views = Array.from({ length: 25 }, (_, number) => newView(Date.now() - 1000 * (number >> 1)));
    await meterOf(account.id).recordViews(views);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { logs, pagination }: Awaited<ReturnType<typeof readLogs>> = await readLogs(account.apiKey, {
        limit: 7,
        cursor,
      });
      seen.push(...logs.map(({ _id }) => _id));
      cursor = pagination.nextCursor;
      await meterOf(account.id).recordViews(newViews(3, Date.now() + 1000));
    }
    expect(seen.slice().sort()).toEqual(views.map(({ id }) => id).sort());
  });
});

describe("Refused log queries", () => {
  let account: ProAccount;
  beforeAll(async () => {
    account = await openProAccount();
  });

  it.each<[LogParameters, string, string]>([
    [{ page: 0 }, "Invalid page or limit parameter", "page"],
    [{ page: "x" }, "Invalid page or limit parameter", "page"],
    [{ limit: 101 }, "Invalid page or limit parameter", "limit"],
    [{ limit: 0 }, "Invalid page or limit parameter", "limit"],
    [{ page: 101, limit: 100 }, "Invalid page or limit parameter", "page"],
    [{ page: 201 }, "Invalid page or limit parameter", "page"],
    [{ class: "C" }, "Invalid query parameters", "class"],
    [{ class: "a" }, "Invalid query parameters", "class"],
    [{ type: "list" }, "Invalid query parameters", "type"],
    [{ from: "2026-02-30" }, "Invalid query parameters", "from"],
    [{ to: "1" }, "Invalid query parameters", "to"],
    [{ from: "2026-03-02", to: "2026-03-01" }, "Invalid query parameters", "from"],
    [{ keyId: "x".repeat(65) }, "Invalid query parameters", "keyId"],
    [{ cursor: "x" }, "Invalid cursor", "cursor"],
    [{ cursor: btoa("1.1.x\u0000") }, "Invalid cursor", "cursor"],
    [{ cursor: btoa("1.5.upload:a").replace(/=+$/, ""), page: 2 }, "Invalid query parameters", "cursor"],
  ])("`GET /logs` refuses %j", async (query, error, field) => {
    const response = await requestLogs(account.apiKey, query);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error, statusCode: 400, details: { [field]: expect.any(String) } });
  });

  it("`GET /logs` answers every page within the counted operations", async () => {
    expect((await readLogs(account.apiKey, { page: 100, limit: 100 })).logs).toEqual([]);
  });
});

/** A log of all kinds: with and without keys, single views and packed ones, of which some were sent late. */
async function fillLog(account: ProAccount, keys: readonly string[], now: number): Promise<Operation[]> {
  const random = seeded(11);
  const all: Operation[] = [];
  await runInDurableObject(meterOf(account.id), (_meter, { storage: { sql } }) => {
    const ledger = new Ledger(sql);
    let sequence = 0;
    for (let number = 0; number < 600; number++) {
      // Many operations are of the same millisecond.
      const at = now - random(20) * DAY_MS - random(40) * 1000;
      const kind = random(4);
      if (kind < 2) {
        const type = kind === 0 ? "upload" : "delete";
        const keyId = [null, ...keys][random(keys.length + 1)] ?? null;
        const operation = { id: `${type}:${number}`, type, at, resourceId: VIEWED_UPLOAD, keyId } as const;
        ledger.record(operation, 0, now);
        all.push(operation);
      } else {
        const reachMs = [0, 30_000, 3 * 60 * MINUTE_MS, 2 * DAY_MS][random(4)] ?? 0;
        const views = Array.from({ length: kind === 2 ? 1 : 1 + random(6) }, () => newView(at - random(1 + reachMs)));
        const bytes = packViews(views);
        if (kind === 2) ledger.recordViews(views, [], now);
        else ledger.recordViews([], [{ journal: "0123456789ab", sequence: sequence++, bytes }], now);
        for (const view of views) all.push({ ...view, type: "view", keyId: null });
      }
    }
  });
  await restoreStores(account.id);
  return all.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}

describe("Log filters", () => {
  let account: ProAccount;
  let all: Operation[];
  let keys: string[];
  const now = Date.now();
  const date = (days: number) => new Date(now - days * DAY_MS).toISOString().slice(0, 10);

  beforeAll(async () => {
    account = await openProAccount();
    keys = [account.apiKeyId, "01hzy3v7k9q4r5s6t7v8w9x0k2"];
    all = await fillLog(account, keys, now);
  });

  function expected(query: LogParameters): Operation[] {
    return all.filter(({ type, at, keyId }) => {
      const day = new Date(at).toISOString().slice(0, 10);
      return (
        (query.type ?? type) === type &&
        (query.class ?? (type === "view" ? "B" : "A")) === (type === "view" ? "B" : "A") &&
        (query.keyId ?? keyId) === keyId &&
        day >= (query.from ?? day) &&
        day <= (query.to ?? day)
      );
    });
  }

  it("Log filters combine, on every page and by cursor, by whole days in UTC", async () => {
    const queries: LogParameters[] = [];
    for (const type of [undefined, "upload", "delete", "view"]) {
      for (const operationClass of [undefined, "A", "B"]) {
        for (const keyId of [undefined, keys[0], keys[1]]) {
          const from = date(3 + ((queries.length * 7) % 17));
          const to = date(queries.length % 3);
          const days = [{}, { from }, { to }, { from, to }, { from: to, to }][queries.length % 5];
          const query = { ...days, type, class: operationClass, keyId };
          // Undefined values are removed.
          queries.push(JSON.parse(JSON.stringify(query)) as LogParameters);
        }
      }
    }
    const counts = new Set<number>();
    for (const query of queries) {
      const ids = expected(query).map(({ id }) => id);
      counts.add(ids.length);
      const limit = 83;
      const first = await readLogs(account.apiKey, { ...query, limit });
      expect(first.pagination, JSON.stringify(query)).toMatchObject({
        total: ids.length,
        totalPages: Math.ceil(ids.length / limit),
      });
      expect(first.logs.map(({ _id }) => _id)).toEqual(ids.slice(0, limit));
      const second = await readLogs(account.apiKey, { ...query, limit, page: 2 });
      expect(second.logs.map(({ _id }) => _id)).toEqual(ids.slice(limit, 2 * limit));
      expect(second.pagination.total).toBe(ids.length);
      const cursor = first.pagination.nextCursor;
      expect(cursor === null).toBe(ids.length <= limit);
      if (cursor === null) continue;
      const next = await readLogs(account.apiKey, { ...query, limit, cursor });
      expect(next.logs).toEqual(second.logs);
      expect(next.pagination.total).toBe(ids.length);
      expect(next.pagination.nextCursor).toBe(second.pagination.nextCursor);
    }
    expect(counts.size).toBeGreaterThan(15);
  });

  it("Log filters read only the shown rows: no statement scans a table or sorts", async () => {
    const filters: LogFilter[] = [
      {},
      { type: "upload" },
      { type: "delete", from: now - DAY_MS, until: now },
      { type: "view" },
      { class: "B", from: now - 9 * DAY_MS, until: now - 5 * DAY_MS },
      { keyId: keys[0] },
      { keyId: "unknown", type: "upload", from: 5 },
    ];
    const plans = await runInDurableObject(meterOf(account.id), (_meter, { storage: { sql } }) => {
      const found: string[] = [];
      const explained = {
        exec: (statement: string, ...values: unknown[]) => {
          if (/^\s*SELECT/.test(statement) && !/sqlite_master|pragma_table_info/.test(statement)) {
            const rows = sql.exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, ...values).toArray();
            found.push(...rows.map(({ detail }) => `${detail} <- ${statement}`));
          }
          return sql.exec(statement, ...values);
        },
        get databaseSize() {
          return sql.databaseSize;
        },
      } as unknown as SqlStorage;
      const log = new OperationLog(explained);
      for (const filter of filters) {
        log.list(50, undefined, filter);
        log.list(50, { at: now - 4 * DAY_MS, id: "x" }, filter);
        log.count(10_000, filter);
      }
      log.nextPruningAt();
      return found;
    });
    expect(plans.length).toBeGreaterThan(30);
    const wasteful = plans.filter((plan) => /SCAN|TEMP B-TREE/.test(plan) && !/^SCAN (\(subquery|CONSTANT)/.test(plan));
    expect(wasteful).toEqual([]);
    const ofKeys = plans.filter((plan) => plan.includes("key_id = ?") && plan.startsWith("SEARCH"));
    expect(ofKeys.length).toBeGreaterThan(8);
    for (const plan of ofKeys) expect(plan).toMatch(/operations_by_key \(key_id=\? AND type=\? AND at>/);
  });

  it("Log filters show nothing older than 90 days, removed or not", async () => {
    const pro = await openProAccount();
    const views = [newView(now - 91 * DAY_MS), newView(now - 89 * DAY_MS)];
    await meterOf(pro.id).recordViews(views);
    const { logs, pagination } = await readLogs(pro.apiKey, { from: "2001-01-01" });
    expect(logs.map(({ _id }) => _id)).toEqual([views[1]?.id]);
    expect(pagination.total).toBe(1);
  });
});
