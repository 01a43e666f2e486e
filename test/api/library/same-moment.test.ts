import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openAccount, type TestAccount } from "../../support/api/api.ts";
import { deleteImage, listIds, listPage, uploadMany } from "../../support/library/api.ts";
import { listByCursor, listByPage } from "../../support/library/walk.ts";
import { png } from "../../support/media/samples.ts";

// The clock does not move: all uploads are of the same millisecond.

let account: TestAccount;
let newestFirst: string[];

beforeAll(async () => {
  account = await openAccount("business");
  vi.setSystemTime(Date.now() + 60_000);
  const batch = (from: number) =>
    uploadMany(
      account.token,
      Array.from({ length: 50 }, (_, i) => ({ name: `${from + i}.png`, bytes: png() })),
    );
  const results = [...(await batch(0)), ...(await batch(50))];
  expect(new Set(results.map(({ createdAt }) => createdAt)).size).toBe(1);
  newestFirst = results.map(({ _id }) => _id).reverse();
});

afterAll(() => {
  vi.useRealTimers();
});

it.each([1, 9, 50, 100])(
  "Uploads of one millisecond are listed in their order, each once, %d at a time",
  async (limit) => {
    for (const query of [{}, { q: ".png" }, { mimePrefix: "image/" }, { excludeTags: "x", minSize: 1 }]) {
      // One walk of a hundred requests is enough.
      if (limit === 1 && Object.keys(query).length > 0) continue;
      const byPage = await listByPage(account.token, query, limit);
      expect(byPage.map(({ _id }) => _id)).toEqual(newestFirst);
      const byCursor = await listByCursor(account.token, query, limit);
      expect(byCursor.map(({ _id }) => _id)).toEqual(newestFirst);
    }
  },
);

it("Uploads of one millisecond in many requests at once are all stored and listed", async () => {
  const requests = Array.from({ length: 12 }, (_, i) =>
    uploadMany(account.token, [{ name: `late ${i}.png`, bytes: png() }]),
  );
  const ids = (await Promise.all(requests)).flat().map(({ _id }) => _id);
  expect(new Set(ids).size).toBe(12);
  const { images, pagination } = await listPage(account.token, { q: "late", limit: 100 });
  expect(pagination.total).toBe(12);
  const listed = images.map(({ _id }) => _id);
  expect(new Set(listed)).toEqual(new Set(ids));
  // Requests that run at once have no order of their own, but every listing has the same.
  expect((await listByPage(account.token, { q: "late" }, 5)).map(({ _id }) => _id)).toEqual(listed);
  expect((await listByCursor(account.token, { q: "late" }, 5)).map(({ _id }) => _id)).toEqual(listed);
});

it.each([
  ["the first", [0]],
  ["the last", [4]],
  ["some", [1, 3]],
  ["all", [0, 1, 2, 3, 4]],
])("Uploads of one millisecond of which %s were deleted leave room for more of it", async (_, gone) => {
  const owner = await openAccount("business");
  const files = (word: string) => Array.from({ length: 5 }, (_, i) => ({ name: `${word} ${i}.png`, bytes: png() }));
  let ids = (await uploadMany(owner.token, files("old"))).map(({ _id }) => _id);
  for (const at of gone) expect((await deleteImage(owner.token, ids[at] ?? "")).status).toBe(200);
  ids = ids.filter((_, at) => !gone.includes(at));
  ids.push(...(await uploadMany(owner.token, files("new"))).map(({ _id }) => _id));
  expect(await listIds(owner.token)).toEqual([...ids].reverse());
  expect((await listByCursor(owner.token, { q: "png" }, 2)).map(({ _id }) => _id)).toEqual([...ids].reverse());
  expect((await listPage(owner.token, { q: "new" })).pagination.total).toBe(5);
  expect((await listPage(owner.token, { q: "old" })).pagination.total).toBe(5 - gone.length);
});
