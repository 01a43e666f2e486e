import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { insertUploads } from "../../../src/db/library/uploads.ts";
import { listSorted, type SortedQuery } from "../../../src/db/listing/list-sorted.ts";
import { indexRanges } from "../../../src/db/listing/sort-sql.ts";
import { comparePositions, ORDERS, SORTS, type Sorting, type SortPosition } from "../../../src/db/listing/sorting.ts";
import { openAccount, type TestAccount } from "../../support/api/api.ts";
import { libraryOf } from "../../support/api/databases.ts";
import { changeImage, createFolder, listIds, listPage, moveToTrash, requestList } from "../../support/library/api.ts";
import { NOW, newUpload } from "../../support/uploads/new-upload.ts";

const DAY = 86_400_000;
const NAMES = [
  "b.png",
  "B.png",
  "a.png",
  "A.png",
  "é.png",
  "É.png",
  "z.png",
  "_.png",
  "🦊.png",
  "\uff21.png",
  "10.png",
  "9.png",
];

interface Item {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly takenAt: number | null;
  readonly createdAt: number;
  readonly folderId: string | null;
  readonly isTrashed: boolean;
  readonly isTagged: boolean;
}

let account: TestAccount;
let folderId: string;
let items: Item[];

beforeAll(async () => {
  account = await openAccount("business");
  folderId = await createFolder(account.token, "One");
  const library = await libraryOf(account.id);
  items = Array.from({ length: 90 }, (_, at) => {
    const createdAt = NOW + Math.floor(at / 3);
    return {
      id: "",
      name: NAMES[at % NAMES.length] ?? "",
      size: 100 * (at % 7),
      takenAt: at % 4 === 0 ? null : NOW - (at % 9) * DAY,
      createdAt,
      folderId: at % 5 === 0 ? folderId : null,
      isTrashed: at % 11 === 0,
      isTagged: at % 3 === 0,
    };
  }).map((item) => {
    const row = newUpload(account.id, {
      createdAt: item.createdAt,
      originalFilename: item.name,
      sizeBytes: item.size,
      takenAt: item.takenAt,
      folderId: item.folderId,
      status: item.isTrashed ? "trash" : "active",
      tags: item.isTagged ? ["x"] : [],
    });
    return { ...item, id: row.id, row };
  });
  await insertUploads(
    library,
    items.map((item) => (item as unknown as { row: Parameters<typeof insertUploads>[1][number] }).row),
  );
});

/** The expected order. The position in `items` is that of the numbers. */
function sorted(sorting: Sorting, wanted: (item: Item) => boolean): string[] {
  const keyOf = {
    createdAt: () => 0,
    name: ({ name }: Item) => name,
    size: ({ size }: Item) => size,
    takenAt: ({ takenAt }: Item) => takenAt,
  };
  const positionOf = (item: Item): SortPosition => [keyOf[sorting.by](item), String(items.indexOf(item))];
  return items
    .filter(wanted)
    .sort((a, b) => comparePositions(sorting, positionOf(a), positionOf(b)))
    .map(({ id }) => id);
}

const CHOICES = SORTS.flatMap((by) => ORDERS.map((order): [Sorting["by"], Sorting["order"]] => [by, order]));

describe("GET /images?sort=", () => {
  it.each(CHOICES)(
    "`sort=%s&order=%s` lists every upload once, by page and by cursor, with the exact total",
    async (by, order) => {
      const query = { sort: by, order, folderId: "all" };
      const expected = sorted({ by, order }, ({ isTrashed }) => !isTrashed);
      expect(await listIds(account.token, { ...query, limit: 100 })).toEqual(expected);
      const seen: string[] = [];
      for (let cursor: string | undefined | null; cursor !== null; ) {
        const { images, pagination } = await listPage(account.token, { ...query, limit: 7, cursor });
        expect(pagination.total).toBe(expected.length);
        seen.push(...images.map(({ _id }) => _id));
        cursor = pagination.nextCursor;
      }
      expect(seen).toEqual(expected);
      expect(await listIds(account.token, { ...query, limit: 7, page: 3 })).toEqual(expected.slice(14, 21));
    },
  );

  it.each(CHOICES)("`sort=%s&order=%s` combines with folders, statuses and other filters", async (by, order) => {
    const filters: [Record<string, string>, (item: Item) => boolean][] = [
      [{ folderId: "all", status: "all" }, () => true],
      [{ status: "trash" }, ({ isTrashed }) => isTrashed],
      [{ folderId }, (item) => item.folderId === folderId && !item.isTrashed],
      [{ folderId: "root" }, (item) => item.folderId === null && !item.isTrashed],
      [{ folderId: "all", tags: "x" }, (item) => item.isTagged && !item.isTrashed],
      [{ folderId: "all", excludeTags: "x" }, (item) => !item.isTagged && !item.isTrashed],
      [{ folderId: "all", minSize: "200", tags: "x" }, (item) => item.isTagged && item.size >= 200 && !item.isTrashed],
      [{ q: "png" }, (item) => !item.isTrashed],
      [{ folderId: "all", mimePrefix: "video/" }, () => false],
    ];
    for (const [filter, wanted] of filters) {
      const expected = sorted({ by, order }, wanted);
      const first = await listPage(account.token, { sort: by, order, limit: 9, ...filter });
      expect([first.images.map(({ _id }) => _id), first.pagination.total], JSON.stringify(filter)).toEqual([
        expected.slice(0, 9),
        expected.length,
      ]);
      const { nextCursor } = first.pagination;
      if (nextCursor === null) continue;
      const second = await listIds(account.token, { sort: by, order, limit: 9, ...filter, cursor: nextCursor ?? "" });
      expect(second, JSON.stringify(filter)).toEqual(expected.slice(9, 18));
    }
  });

  it("`takenFrom` and `takenTo` are days in UTC, both included, and leave out unknown times", async () => {
    const day = (back: number) => new Date(NOW - back * DAY).toISOString().slice(0, 10);
    const query = { takenFrom: day(5), takenTo: day(3), folderId: "all", status: "all", limit: 100 };
    const wanted = ({ takenAt }: Item) => takenAt !== null && takenAt >= NOW - 5 * DAY && takenAt < NOW - 2 * DAY;
    const expected = sorted({ by: "createdAt", order: "desc" }, wanted);
    expect(expected.length).toBeGreaterThan(5);
    expect(await listIds(account.token, query)).toEqual(expected);
    expect((await listPage(account.token, query)).pagination.total).toBe(expected.length);
    expect(await listIds(account.token, { ...query, sort: "takenAt" })).toEqual(
      sorted({ by: "takenAt", order: "desc" }, wanted),
    );
  });

  it.each([
    { sort: "width" },
    { order: "up" },
    { takenFrom: "2026-02-30" },
    { takenFrom: "2026-02-02", takenTo: "2026-02-01" },
  ])("`GET /images` with %j is 400", async (query) => {
    expect((await requestList(account.token, query)).status).toBe(400);
  });

  it("A cursor belongs to its `sort` and `order`", async () => {
    const { nextCursor } = (await listPage(account.token, { sort: "name", limit: 1 })).pagination;
    for (const other of [{ sort: "size" }, { sort: "name", order: "asc" }, {}]) {
      const response = await requestList(account.token, { ...other, limit: 1, cursor: nextCursor ?? "" });
      expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_cursor" }]);
    }
  });

  it("Pages of an order end after 1,000 items, and cursors do not", async () => {
    const response = await requestList(account.token, { sort: "name", page: 11, limit: 100 });
    expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_paging" }]);
    expect((await requestList(account.token, { sort: "name", page: 10, limit: 100 })).status).toBe(200);
  });

  it("`page` counts from the cursor if the cursor is of an order", async () => {
    const query = { sort: "size", order: "asc", folderId: "all" };
    const expected = await listIds(account.token, { ...query, limit: 100 });
    const { nextCursor } = (await listPage(account.token, { ...query, limit: 3 })).pagination;
    const { images, pagination } = await listPage(account.token, {
      ...query,
      limit: 3,
      page: 3,
      cursor: nextCursor ?? "",
    });
    expect(images.map(({ _id }) => _id)).toEqual(expected.slice(9, 12));
    const next = await listIds(account.token, { ...query, limit: 2, cursor: pagination.nextCursor ?? "" });
    expect(next).toEqual(expected.slice(12, 14));
    const beyond = await requestList(account.token, { ...query, limit: 100, page: 11, cursor: nextCursor ?? "" });
    expect([beyond.status, await beyond.json()]).toMatchObject([400, { code: "invalid_paging" }]);
  });

  it("A rename moves a file in the order of names", async () => {
    const own = await openAccount();
    const library = await libraryOf(own.id);
    const rows = ["b.png", "c.png"].map((originalFilename) => newUpload(own.id, { originalFilename }));
    await insertUploads(library, rows);
    const [b, c] = rows.map(({ id }) => id);
    expect(await listIds(own.token, { sort: "name", order: "asc" })).toEqual([b, c]);
    await changeImage(own.token, c ?? "", { originalFilename: "A.png" });
    expect(await listIds(own.token, { sort: "name", order: "asc" })).toEqual([c, b]);
    await moveToTrash(own.token, [c ?? ""]);
    expect(await listIds(own.token, { sort: "name", order: "asc" })).toEqual([b]);
  });
});

describe("The rows that an order reads", () => {
  const COUNT = 3000;
  let many: TestAccount;

  beforeAll(async () => {
    many = await openAccount("business");
    const library = await libraryOf(many.id);
    for (let at = 0; at < COUNT; at += 300) {
      const rows = Array.from({ length: 300 }, (_, i) =>
        newUpload(many.id, {
          createdAt: NOW + at + i,
          // Half of the files have the same name, size and time.
          originalFilename: i % 2 === 0 ? "image.png" : `${at + i}.png`,
          sizeBytes: i % 2 === 0 ? 100 : at + i,
          takenAt: i % 4 === 0 ? null : i % 2 === 0 ? NOW : NOW + at + i,
        }),
      );
      await insertUploads(library, rows);
    }
  });

  afterAll(() => vi.restoreAllMocks());

  it.each(CHOICES)(
    "A page of `sort=%s&order=%s` reads a few index entries, also among equal values",
    async (by, order) => {
      const library = await libraryOf(many.id);
      const read: number[] = [];
      const batch = library.binding.batch.bind(library.binding);
      vi.spyOn(library.binding, "batch").mockImplementation(async (statements) => {
        const answers = await batch(statements);
        read.push(answers.reduce((sum, { meta }) => sum + ((meta.rows_read as number | undefined) ?? 0), 0));
        return answers as never;
      });
      const query: SortedQuery = {
        library,
        accountId: many.id,
        filter: { status: "active", folderId: undefined, tags: [], excludedTags: [] },
        sorting: { by, order },
        limit: 50,
        offset: 0,
      };
      const run = <T>(work: () => Promise<T>) => work();
      let after: SortPosition | undefined;
      for (let page = 0; page < 40; page++) {
        const listing = await listSorted({ ...query, after }, run);
        expect([listing?.total, listing?.rows.length]).toEqual([COUNT, 50]);
        after = listing?.next ?? undefined;
      }
      const mostRows = { createdAt: 400, name: 800, size: 800, takenAt: 1200 }[by];
      expect(Math.max(...read)).toBeLessThan(mostRows);
      // The counts and the rows of a page take one call.
      expect(read).toHaveLength(40);
    },
  );

  it.each(CHOICES)("SQLite reads `sort=%s&order=%s` along an index, without sorting", async (by, order) => {
    const library = await libraryOf(many.id);
    const sorting: Sorting = { by, order };
    const index = {
      createdAt: "uploads_by_status",
      name: "uploads_by_name",
      size: "uploads_by_size",
      takenAt: "uploads_by_time",
    };
    const scope = { accountId: many.id, folderId: undefined, statuses: ["active"] as const };
    const key = { createdAt: null, name: "image.png", size: 100, takenAt: NOW }[by];
    for (const after of [undefined, [key, "5"] as SortPosition]) {
      for (const range of indexRanges(scope, sorting, after)) {
        const plan = await library.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${range}`);
        expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining(`INDEX ${index[by]} (account_id=?`)]);
      }
    }
  });
});
