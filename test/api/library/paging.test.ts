import { beforeAll, describe, expect, it } from "vitest";
import { listPage, type Query } from "../../support/library/api.ts";
import { type Library, openLibrary } from "../../support/library/fixture.ts";
import { expectedItems } from "../../support/library/oracle.ts";
import { listByCursor, listByPage } from "../../support/library/walk.ts";

let library: Library;

beforeAll(async () => {
  library = await openLibrary(130, 21);
}, 30_000);

/** One of every kind of filter; 0 is the library's first folder. */
const QUERIES: Query[] = [
  {},
  { status: "trash" },
  { status: "all" },
  { folderId: "all" },
  { folderId: 0 },
  { folderId: 0, status: "all" },
  { folderId: "root", status: "all" },
  { q: "beach" },
  { q: "é" },
  { q: "x ", status: "all" },
  { q: "1", status: "all" },
  { q: "sea", status: "all" },
  { from: "2020-01-01", to: "2999-12-31", status: "all" },
  { mimePrefix: "image/", status: "all" },
  { mimePrefix: "video/", folderId: "all" },
  { mimePrefix: "other" },
  { minSize: 300, maxSize: 800, status: "all" },
  { favorite: true, status: "all" },
  { favorite: false },
  { tags: "sea", folderId: "all" },
  { tags: "sea,sun", status: "all" },
  { excludeTags: "sea,写真", status: "all" },
  { tag: "🦊", status: "all" },
  { tags: "sea", excludeTags: "sunny", favorite: false, mimePrefix: "image/", status: "all" },
  { q: "beach", tags: "sea", status: "all", minSize: 200 },
];

function inLibrary(query: Query): Query {
  return query.folderId === 0 ? { ...query, folderId: library.folders[0] ?? "" } : query;
}

describe.each(QUERIES)("Listing with %j", (query) => {
  it.each([7, 100])(
    "The listing shows each item exactly once, newest first, by page and by cursor, %d at a time",
    async (limit) => {
      const expected = expectedItems(library.items, inLibrary(query)).map(({ _id }) => _id);
      const byPage = await listByPage(library.account.token, inLibrary(query), limit);
      expect(byPage.map(({ _id }) => _id)).toEqual(expected);
      const byCursor = await listByCursor(library.account.token, inLibrary(query), limit);
      expect(byCursor).toEqual(byPage);
    },
  );
});

describe("Pages", () => {
  it("A page of one item each is shown for every item", async () => {
    const query = { status: "trash" };
    const expected = expectedItems(library.items, query).map(({ _id }) => _id);
    expect((await listByPage(library.account.token, query, 1)).map(({ _id }) => _id)).toEqual(expected);
    expect((await listByCursor(library.account.token, query, 1)).map(({ _id }) => _id)).toEqual(expected);
  });

  it("A page has 50 items by default, also by cursor", async () => {
    const { token } = library.account;
    const first = await listPage(token, { status: "all" });
    expect(first.images).toHaveLength(50);
    expect(first.pagination).toMatchObject({ page: 1, limit: 50, total: 130, totalPages: 3 });
    const next = await listPage(token, { status: "all", cursor: first.pagination.nextCursor ?? "" });
    expect(next.images).toHaveLength(50);
    expect(next.pagination).toMatchObject({ limit: 50, total: 130, totalPages: 3 });
  });

  it("A page after the last one is empty and has no next page", async () => {
    for (const page of [20, 1000, 1_000_000]) {
      expect(await listPage(library.account.token, { status: "all", limit: 10, page })).toEqual({
        images: [],
        pagination: { page, limit: 10, total: 130, totalPages: 13, nextCursor: null },
      });
    }
  });

  it("A page of any number has a cursor to the next one", async () => {
    const { token } = library.account;
    const query = { status: "all", limit: 10 };
    for (const page of [1, 2, 7, 12]) {
      const { pagination } = await listPage(token, { ...query, page });
      const byCursor = await listPage(token, { ...query, cursor: pagination.nextCursor ?? "" });
      expect(byCursor.images).toEqual((await listPage(token, { ...query, page: page + 1 })).images);
    }
    expect((await listPage(token, { ...query, page: 13 })).pagination.nextCursor).toBeNull();
  });
});
