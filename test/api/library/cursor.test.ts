import { beforeAll, describe, expect, it } from "vitest";
import { openAccount, type TestAccount, type UploadResult } from "../../support/api/api.ts";
import {
  bulkUpdate,
  deleteImage,
  expectInvalid,
  listPage,
  moveToTrash,
  type Query,
  requestList,
  uploadMany,
} from "../../support/library/api.ts";
import { listByCursor } from "../../support/library/walk.ts";
import { png } from "../../support/media/samples.ts";

function files(count: number, word = "walk") {
  return Array.from({ length: count }, (_, i) => ({ name: `${word} ${i}.png`, bytes: png() }));
}

async function openWith(count: number): Promise<{ account: TestAccount; ids: string[] }> {
  const account = await openAccount("business");
  const results = await uploadMany(account.token, files(count), { tags: "walk" });
  return { account, ids: results.map(({ _id }: UploadResult) => _id).reverse() };
}

const QUERIES: Query[] = [
  {},
  { status: "all" },
  { q: "walk" },
  { q: "lk" },
  { tags: "walk" },
  { mimePrefix: "image/" },
  { folderId: "all", minSize: 1, excludeTags: "other" },
];

describe.each(QUERIES)("Cursor walks with %j during changes", (query) => {
  it("A cursor walk during changes shows nothing twice and misses no upload that was always there", async () => {
    const { account, ids } = await openWith(30);
    const gone = new Set<string>();
    let step = 0;
    const seen = await listByCursor(account.token, query, 4, async (page) => {
      step += 1;
      await uploadMany(account.token, files(3, `walk new ${step}`), { tags: "walk" });
      // The upload at the cursor, the one before it, and the one after it.
      const last = page.at(-1)?._id ?? "";
      const doomed = [last, page[0]?._id ?? "", ids[ids.indexOf(last) + 2] ?? ""].filter((id) => ids.includes(id));
      for (const id of doomed) gone.add(id);
      if (step % 2 === 0 && query.status !== "all") await moveToTrash(account.token, doomed);
      else for (const id of doomed) await deleteImage(account.token, id);
    });
    const seenIds = seen.map(({ _id }) => _id);
    expect(step).toBeGreaterThan(4);
    expect(new Set(seenIds).size).toBe(seenIds.length);
    expect(seenIds.filter((id) => !gone.has(id))).toEqual(ids.filter((id) => !gone.has(id)));
    expect(seenIds).toEqual([...seenIds].sort().reverse());
  });
});

describe("Cursor walks", () => {
  it("A cursor walk does not repeat uploads that were marked or tagged during it", async () => {
    const { account, ids } = await openWith(20);
    const seen = await listByCursor(account.token, { folderId: "all" }, 5, async (page) => {
      const pageIds = page.map(({ _id }) => _id);
      await bulkUpdate(account.token, { ids: pageIds, favorite: true, addTags: ["seen"] });
    });
    expect(seen.map(({ _id }) => _id)).toEqual(ids);
  });

  it("A cursor walk has the exact total of each moment", async () => {
    const { account, ids } = await openWith(12);
    const first = await listPage(account.token, { limit: 5 });
    const cursor = first.pagination.nextCursor ?? "";
    const total = async () => (await listPage(account.token, { limit: 5, cursor })).pagination.total;
    expect(await total()).toBe(12);
    await uploadMany(account.token, files(2));
    expect(await total()).toBe(14);
    await deleteImage(account.token, ids[0] ?? "");
    await moveToTrash(account.token, ids.slice(8, 11));
    expect(await total()).toBe(10);
  });

  it("A cursor walk ends if everything after the cursor was deleted", async () => {
    const { account, ids } = await openWith(6);
    const { pagination } = await listPage(account.token, { limit: 3 });
    for (const id of ids) await deleteImage(account.token, id);
    const cursor = pagination.nextCursor ?? "";
    const end = await listPage(account.token, { limit: 3, cursor });
    expect(end).toMatchObject({ images: [], pagination: { total: 0, totalPages: 0, nextCursor: null } });
  });

  it("A cursor walk may change its page size", async () => {
    const { account, ids } = await openWith(20);
    const first = await listPage(account.token, { limit: 3 });
    const second = await listPage(account.token, { limit: 10, cursor: first.pagination.nextCursor ?? "" });
    const third = await listPage(account.token, { limit: 100, cursor: second.pagination.nextCursor ?? "" });
    expect([first, second, third].flatMap(({ images }) => images.map(({ _id }) => _id))).toEqual(ids);
    expect(third.pagination.nextCursor).toBeNull();
  });

  it("A cursor of another account is 400", async () => {
    const { account } = await openWith(4);
    const stranger = await openAccount("business");
    await uploadMany(stranger.token, files(2));
    const { pagination } = await listPage(account.token, { limit: 1 });
    const response = await requestList(stranger.token, { cursor: pagination.nextCursor ?? "" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_cursor" });
  });
});

describe("Cursors", () => {
  let account: TestAccount;
  let cursor: string;
  beforeAll(async () => {
    account = (await openWith(5)).account;
    cursor = (await listPage(account.token, { limit: 2 })).pagination.nextCursor ?? "";
  });

  it("A cursor of the usual order is valid with page 1, and with no other", async () => {
    expect((await listPage(account.token, { limit: 2, page: 1, cursor })).images).toHaveLength(2);
    for (const page of [2, 3, 1000]) await expectInvalid(await requestList(account.token, { page, cursor }), "cursor");
  });

  it("A cursor needs no escaping in a query", () => {
    expect(encodeURIComponent(cursor)).toBe(cursor);
    expect(cursor.length).toBeLessThan(200);
  });

  it.each<[string, (cursor: string) => string]>([
    ["twice", (whole) => whole + whole],
    ["with more behind it", (whole) => `${whole}x`],
    ["with a quote", (whole) => `${whole}'`],
    ["with a space", (whole) => `${whole.slice(0, 3)} ${whole.slice(3)}`],
    ["turned round", (whole) => [...whole].reverse().join("~")],
  ])("A cursor %s is 400", async (_, spoil) => {
    await expectInvalid(await requestList(account.token, { cursor: spoil(cursor) }), "cursor");
  });

  it("A cursor that lost any of its characters is 400", async () => {
    for (let at = 1; at < cursor.length; at++) {
      await expectInvalid(await requestList(account.token, { cursor: cursor.slice(0, at) }), "cursor");
      await expectInvalid(await requestList(account.token, { cursor: cursor.slice(at) }), "cursor");
    }
  });

  it("A cursor with a changed character is 400", async () => {
    for (let at = 0; at < cursor.length; at++) {
      for (const other of ["A", "z", "9", "_"]) {
        if (cursor[at] === other) continue;
        const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
        await expectInvalid(await requestList(account.token, { cursor: changed }), "cursor");
      }
    }
  });

  it("A cursor given twice is 400", async () => {
    await expectInvalid(await requestList(account.token, `cursor=${cursor}&cursor=${cursor}`), "cursor");
  });
});
