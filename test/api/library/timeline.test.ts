import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bearer, call, createApiKey, openAccount } from "../../support/api/api.ts";
import { libraries } from "../../support/api/databases.ts";
import {
  createFolder,
  deleteFolder,
  deleteImage,
  expectInvalid,
  listPage,
  moveToTrash,
  type Query,
  uploadMany,
} from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";

const DAYS = [
  "2032-02-29",
  "2032-02-29",
  "2032-03-01",
  "2032-12-31",
  "2033-01-01",
  "2033-01-01",
  "2033-01-01",
] as const;

interface Timeline {
  readonly total: number;
  readonly buckets: readonly { readonly key: string; readonly count: number }[];
}

function request(token: string, query: Query = {}): Promise<Response> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return call(`/images/timeline?${search}`, { headers: bearer(token) });
}

async function timeline(token: string, query: Query = {}): Promise<Timeline> {
  const response = await request(token, query);
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
}

const pairs = ({ buckets }: Timeline) => buckets.map(({ key, count }) => [key, count]);

describe.each(libraries.shards.slice(0, 2))("GET /images/timeline of an account in shard %s", (shard) => {
  /** A key, because a clock that is set forward would end a session. */
  let key: string;
  let folderId: string;
  const ids: string[] = [];

  beforeAll(async () => {
    const { token } = await openAccount("business", shard);
    key = (await createApiKey(token, ["folders:read", "folders:write"])).key;
    folderId = await createFolder(key, "One");
    for (const [at, day] of DAYS.entries()) {
      vi.setSystemTime(new Date(`${day}T${at % 2 === 0 ? "00:00:00.000" : "23:59:59.999"}Z`));
      const [stored] = await uploadMany(key, [{ name: "x.png", bytes: png() }], at < 3 ? { folderId } : {});
      ids.push(stored?._id ?? "");
    }
    await moveToTrash(key, [ids[2] ?? "", ids[6] ?? ""]);
  });

  afterAll(() => {
    vi.useRealTimers();
  });

  it("`GET /images/timeline` has the months of a listing of the same place, newest first", async () => {
    const [first] = await Promise.all([timeline(key), timeline(key)]);
    expect(first).toEqual({
      total: 3,
      buckets: [
        { key: "2033-01", count: 2 },
        { key: "2032-12", count: 1 },
      ],
    });
    for (const query of [
      {},
      { folderId: "all" },
      { status: "trash" },
      { status: "all" },
      { folderId },
      { folderId, status: "all" },
    ]) {
      const { pagination } = await listPage(key, query);
      for (const by of ["month", "day"]) {
        const { total, buckets } = await timeline(key, { ...query, by });
        expect([total, buckets.reduce((sum, { count }) => sum + count, 0)]).toEqual([
          pagination.total,
          pagination.total,
        ]);
      }
    }
  });

  it("`GET /images/timeline` has the days in UTC, and both statuses together", async () => {
    expect(pairs(await timeline(key, { by: "day", status: "all" }))).toEqual([
      ["2033-01-01", 3],
      ["2032-12-31", 1],
      ["2032-03-01", 1],
      ["2032-02-29", 2],
    ]);
    expect(pairs(await timeline(key, { by: "day", folderId }))).toEqual([["2032-02-29", 2]]);
    expect(pairs(await timeline(key, { status: "trash" }))).toEqual([
      ["2033-01", 1],
      ["2032-03", 1],
    ]);
  });

  it("`GET /images/timeline` refuses unknown parameters and folders of other accounts", async () => {
    const stranger = await openAccount("business");
    const foreign = await createFolder(stranger.token, "Foreign");
    for (const by of ["year", "Month", "day,month"]) await expectInvalid(await request(key, { by }), "by");
    await expectInvalid(await request(key, { status: "gone" }), "status");
    for (const folder of [foreign, "01arz3ndektsv4rrffq69g5fav", "x".repeat(5000), "../all"]) {
      const response = await request(key, { folderId: folder });
      expect([response.status, await response.json()]).toEqual([
        404,
        { error: "Folder not found", code: "folder_not_found", statusCode: 404 },
      ]);
    }
    expect(await timeline(stranger.token, { folderId: "all" })).toEqual({ total: 0, buckets: [] });
  });

  it("`GET /images/timeline` follows deletions of files and folders", async () => {
    await deleteImage(key, ids[0] ?? "");
    await deleteFolder(key, folderId);
    expect(pairs(await timeline(key, { by: "day", status: "all", folderId: "root" }))).toEqual([
      ["2033-01-01", 3],
      ["2032-12-31", 1],
      ["2032-03-01", 1],
      ["2032-02-29", 1],
    ]);
  });
});
