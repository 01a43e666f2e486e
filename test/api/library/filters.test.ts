import { beforeAll, describe, expect, it } from "vitest";
import { callJson, openAccount, uploadOne } from "../../support/api/api.ts";
import { listIds, listPage, type Query } from "../../support/library/api.ts";
import { expectListed } from "../../support/library/expect-listed.ts";
import { type Library, openLibrary } from "../../support/library/fixture.ts";
import { expectedItems } from "../../support/library/oracle.ts";
import { readStats } from "../../support/library/stats.ts";
import { writePng } from "../../support/png/write-png.ts";

let library: Library;

beforeAll(async () => {
  library = await openLibrary(90);
}, 30_000);

function withFolder(query: Query): Query {
  const { folderId } = query;
  if (typeof folderId !== "number") return query;
  return { ...query, folderId: library.folders[folderId] ?? "" };
}

describe("Single filters", () => {
  // A number is the index of a folder in the library.
  const some: Query[] = [
    {},
    { status: "trash" },
    { folderId: "root" },
    { folderId: "all" },
    { folderId: 0 },
    { folderId: 1, status: "all" },
    { mimePrefix: "image/" },
    { mimePrefix: "video/" },
    { mimePrefix: "image/pn" },
    { mimePrefix: "image/jpeg" },
    { mimePrefix: "image/gif", status: "all" },
    { mimePrefix: "v", status: "all" },
    { favorite: true },
    { favorite: false },
    { favorite: true, status: "trash" },
    { minSize: 400 },
    { maxSize: 400 },
    { minSize: 200, maxSize: 700, status: "all" },
    { tags: "sea", folderId: "all" },
    { tags: "sea,sun", status: "all" },
    { tag: "Sun", status: "all" },
    { excludeTags: "sea" },
    { excludeTags: "sea,sun,🦊", status: "all" },
    { q: "beach" },
    { q: "beach", status: "trash" },
    { q: "50%", folderId: "all" },
  ];
  it.each(some)("The filter %j shows the matching items, newest first, and their number", async (query) => {
    const count = await expectListed(library, withFolder(query));
    // The library has items of every kind. A filter that shows all or none of them would prove little.
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(library.items.length);
  });

  const none: Query[] = [
    { mimePrefix: "application/" },
    { mimePrefix: "other" },
    { mimePrefix: "other", status: "all", favorite: true },
    { minSize: 10_000_000 },
    { maxSize: 0 },
    { minSize: Number.MAX_SAFE_INTEGER },
    { tags: "never given" },
    { tags: "sea,never given", status: "all" },
    { from: "9999-12-31" },
    { to: "1970-01-01" },
    { to: "1969-12-31" },
    { from: "2020-01-01", to: "2020-12-31", status: "all" },
    { q: "no file has this name" },
    { tags: "sea", excludeTags: "sea" },
  ];
  it.each(none)("The filter %j shows nothing on any page", async (query) => {
    expect(await listPage(library.account.token, query)).toEqual({
      images: [],
      pagination: { page: 1, limit: 50, total: 0, totalPages: 0, nextCursor: null },
    });
  });

  const all: Query[] = [
    { status: "all" },
    { minSize: 0 },
    { maxSize: Number.MAX_SAFE_INTEGER },
    { from: "1970-01-01" },
    { from: "0999-01-01" },
    { to: "9999-12-31" },
    { excludeTags: "never given" },
    { mimePrefix: "i", status: "all" },
  ];
  it.each(all)("The filter %j changes nothing if it matches all", async (query) => {
    const { images } = await listPage(library.account.token, { folderId: "all", ...query, limit: 100 });
    const wanted = query.mimePrefix === undefined ? {} : { mimePrefix: "image/" };
    const same = expectedItems(library.items, { folderId: "all", status: query.status ?? "active", ...wanted });
    expect(images.map(({ _id }) => _id)).toEqual(same.map(({ _id }) => _id));
  });

  it("The size filter includes both sizes, to the byte", async () => {
    const { token } = library.account;
    for (const { fileSize } of library.items.slice(0, 5)) {
      for (const [minSize, maxSize] of [
        [fileSize, fileSize],
        [fileSize - 1, fileSize],
        [fileSize + 1, fileSize + 1],
      ] as const) {
        await expectListed(library, { minSize, maxSize, status: "all" });
      }
    }
    expect(await listIds(token, { minSize: 1e6, maxSize: 1e6 })).toEqual([]);
  });

  it("The size filter uses the stored size, not the original one", async () => {
    const account = await openAccount();
    await callJson("PATCH", "/settings", account.token, { autoCompress: true });
    const plain = writePng({ width: 40, height: 40, colorType: 2, bitDepth: 8, pixel: () => [200, 30, 30] });
    const result = await uploadOne(account.token, { name: "plain.png", bytes: new Uint8Array(plain) });
    expect(result.compressed).toBe(true);
    expect(result.fileSize).toBeLessThan(result.originalFileSize);
    const { fileSize } = result;
    expect(await listIds(account.token, { minSize: fileSize, maxSize: fileSize })).toEqual([result._id]);
    expect(await listIds(account.token, { minSize: fileSize + 1 })).toEqual([]);
    expect((await readStats(account.token)).storage.used).toBe(fileSize);
  });

  it.each(["%", "_mage/", "image/%", "IMAGE' OR '1'='1", "*", "image/*", "\\"])(
    "The type filter %s is taken literally",
    async (mimePrefix) => {
      const response = await listPage(library.account.token, { mimePrefix, status: "all" }).catch(() => undefined);
      // It is refused as no type, or no upload has this type.
      expect(response?.images ?? []).toEqual([]);
    },
  );

  it("A folder filter without a value is Root, as without the parameter", async () => {
    const expected = expectedItems(library.items, {}).map(({ _id }) => _id);
    expect(await listIds(library.account.token, "folderId=")).toEqual(expected);
  });
});

it("Combined filters with pages show each item once", async () => {
  const query = { status: "all", favorite: "false", excludeTags: "🦊", mimePrefix: "image/", limit: 4 };
  const expected = expectedItems(library.items, query).map(({ _id }) => _id);
  expect(expected.length).toBeGreaterThan(8);
  const seen: string[] = [];
  for (let page = 1; page <= Math.ceil(expected.length / 4); page++) {
    seen.push(...(await listIds(library.account.token, { ...query, page })));
  }
  expect(seen).toEqual(expected);
});
