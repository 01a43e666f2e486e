import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Library, openLibraries } from "../../src/db/library/library.ts";
import type { AccountContext } from "../../src/services/context.ts";
import { type ListQuery, listImages } from "../../src/services/images/list-images.ts";
import { seedLibrary } from "../bench/library/seed.ts";
import { type BenchAccount, openBusinessAccount } from "../bench/support/account.ts";
import { CountedD1 } from "../support/costs/counted-d1.ts";
import type { ListPage, Query } from "../support/library/api.ts";
import { libraryDatabase, type Stack, startApi } from "../support/stack/miniflare.ts";

/** More rows than a listing may read before it waits for its turn. */
const UPLOADS = 45_000;
/** The limit of one statement: two rows are read for each item, of an index and of the table. */
const MAX_ROWS_READ = 2 * 20_000 + 500;
const EVERYTHING = { folderId: "all", status: "all" } as const;
const LONG = "/images?folderId=all&minSize=40000000";
const SHORT = "/images?folderId=all&favorite=true";
const MAX_WAITING = 5;

let stack: Stack;
let account: BenchAccount;
let other: BenchAccount;

// The test has its own stack: workerd passes a promise from one request to another, the plugin's worker does not.
beforeAll(async () => {
  stack = await startApi();
  account = await openBusinessAccount(stack.url);
  other = await openBusinessAccount(stack.url, "other@example.com");
  await seedLibrary(await database(), account.id, UPLOADS);
}, 180_000);

afterAll(() => stack?.[Symbol.asyncDispose]());

function get(path: string, signal?: AbortSignal): Promise<Response> {
  return fetch(new URL(path, stack.url), {
    headers: { ...account.client.headers } as Record<string, string>,
    signal: signal ?? null,
  });
}

function database() {
  return libraryDatabase(stack, account.id);
}

async function listPage(query: Query): Promise<ListPage> {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return JSON.parse((await account.client.call(200, `/images?${parameters}`)).body.toString());
}

/** The ids from the rows themselves, newest first. */
async function expectedIds(condition: string): Promise<string[]> {
  const { results } = await (await database())
    .prepare(`SELECT id FROM uploads WHERE account_id = ? AND (${condition}) ORDER BY number DESC`)
    .bind(account.id)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

const hasTag = (tag: string) => `EXISTS (SELECT 1 FROM json_each(tags) WHERE value = '${tag}')`;

const LISTINGS: [Record<string, string>, string][] = [
  [{ minSize: "1500" }, "size_bytes >= 1500"],
  [{ maxSize: "1050" }, "size_bytes <= 1050"],
  [{ minSize: "40000000" }, "false"],
  [
    { minSize: "2000", favorite: "false", mimePrefix: "image/" },
    "size_bytes >= 2000 AND NOT favorite AND mime_type LIKE 'image/%'",
  ],
  [{ q: "img_" }, "true"],
  [{ q: "g_", maxSize: "1050" }, "size_bytes <= 1050"],
  [{ q: "img_", tags: "a3", minSize: "1500" }, `${hasTag("a3")} AND size_bytes >= 1500`],
  [{ tags: "a3,b4" }, `${hasTag("a3")} AND ${hasTag("b4")}`],
  [{ excludeTags: "a3,b4,c5" }, `NOT (${hasTag("a3")} OR ${hasTag("b4")} OR ${hasTag("c5")})`],
  [{ excludeTags: Array.from({ length: 40 }, (_, i) => `c${i}`).join(",") }, "false"],
  [{ favorite: "false" }, "NOT favorite"],
];

describe.each(LISTINGS)("a long listing with %j", (query, condition) => {
  it("A long listing shows and counts all matches: on its first page, a deep page, and by cursor", async () => {
    const expected = await expectedIds(condition);
    const asked = { ...EVERYTHING, ...query, limit: 100 };
    const first = await listPage(asked);
    expect(first.pagination.total).toBe(expected.length);
    expect(first.images.map(({ _id }) => _id)).toEqual(expected.slice(0, 100));
    const page = Math.max(2, Math.ceil((expected.length * 0.7) / 100));
    const deep = await listPage({ ...asked, page });
    expect(deep.images.map(({ _id }) => _id)).toEqual(expected.slice((page - 1) * 100, page * 100));
    const { nextCursor, total } = deep.pagination;
    expect(total).toBe(expected.length);
    if (nextCursor === null) return;
    const behind = await listPage({ ...asked, cursor: nextCursor });
    expect(behind.images.map(({ _id }) => _id)).toEqual(expected.slice(page * 100, (page + 1) * 100));
    expect(behind.pagination.total).toBe(expected.length);
  });
});

function contextOf(library: Library): AccountContext {
  return {
    library,
    accountId: account.id,
    principal: { kind: "session" },
    config: { jwtSecret: { current: "secret" } },
    waitUntil: () => {},
  } as unknown as AccountContext;
}

it("No statement of a long listing reads more than a step's uploads", async () => {
  const all = { ...EVERYTHING, page: 1, limit: 50, tags: [], excludedTags: [] };
  const queries: ListQuery[] = [
    { ...all, minSizeBytes: 40_000_000 },
    { ...all, maxSizeBytes: 1050, favorite: false },
    { ...all, search: "img_", maxSizeBytes: 1050 },
    { ...all, excludedTags: ["a3", "b4"] },
  ];
  for (const query of queries) {
    const counted = new CountedD1(await database());
    const library = openLibraries({ LIBRARY_00: counted }).open("00");
    await listImages(contextOf(library), query);
    expect(counted.mostRowsRead, JSON.stringify(query)).toBeLessThan(MAX_ROWS_READ);
  }
});

it("A listing that needs few steps reads no more rows in a large account", async () => {
  const counted = new CountedD1(await database());
  const library = openLibraries({ LIBRARY_00: counted }).open("00");
  const query: ListQuery = { ...EVERYTHING, page: 1, limit: 50, tags: [], excludedTags: [], favorite: false };
  await listImages(contextOf(library), query);
  expect(counted.rowsRead).toBeLessThan(1000);
});

it("Long listings of an account take turns and are bounded; short listings and other accounts do not wait", async () => {
  // More listings than can finish before the last of them arrives.
  const long = Array.from({ length: 60 }, () => get(LONG));
  await Promise.all([1, 2, 3].flatMap(() => [account.client.call(200, SHORT), other.client.call(200, LONG)]));
  const responses = await Promise.all(long);
  const refused = responses.filter(({ status }) => status === 503);
  expect(responses.filter(({ status }) => status === 200).length).toBe(responses.length - refused.length);
  expect(responses.length - refused.length).toBeGreaterThanOrEqual(1 + MAX_WAITING);
  expect(refused).not.toHaveLength(0);
  for (const response of refused) {
    expect(response.headers.get("Retry-After")).toBe("5");
    const error = "Service temporarily unavailable";
    const code = "service_unavailable";
    expect(await response.json()).toEqual({ error, statusCode: 503, code, details: { retryAfter: 5 } });
  }
});

it("Clients that disconnect in their turn, or while they wait for it, do not block the queue", async () => {
  const hangUp = new AbortController();
  const gone = Array.from({ length: 1 + MAX_WAITING }, () => get(LONG, hangUp.signal).catch(() => undefined));
  // Time to be admitted, not to be answered.
  await new Promise((resolve) => setTimeout(resolve, 150));
  hangUp.abort();
  await Promise.all(gone);
  const startedAt = performance.now();
  let status = 503;
  while (status === 503 && performance.now() - startedAt < 15_000) {
    status = (await get(LONG)).status;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
}, 30_000);
