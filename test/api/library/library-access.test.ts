import { beforeAll, describe, expect, it } from "vitest";
import { bearer, call, callJson, createApiKey, openAccount, setTier, type TestAccount } from "../../support/api/api.ts";
import {
  bulkUpdate,
  changeImage,
  createFolder,
  getImage,
  listFolders,
  listIds,
  listPage,
  type MediaObject,
  moveToTrash,
  patchImage,
  requestBulkUpdate,
  requestList,
  restore,
  uploadMany,
} from "../../support/library/api.ts";
import { readStats } from "../../support/library/stats.ts";
import { png } from "../../support/media/samples.ts";

interface Owner extends TestAccount {
  readonly folderId: string;
  /** Newest first: one in the trash, one in the folder, one in Root. */
  readonly ids: readonly string[];
}

const NAME = "alike.png";

/** Two accounts in which everything has the same name, so that a mistake would show the other's. */
async function openOwner(): Promise<Owner> {
  const account = await openAccount("business");
  const folderId = await createFolder(account.token, "Alike");
  const file = { name: NAME, bytes: png(1, 1, 500) };
  const inRoot = await uploadMany(account.token, [file], { tags: "alike" });
  const inFolder = await uploadMany(account.token, [file, file], { tags: "alike", folderId });
  const ids = [...inRoot, ...inFolder].map(({ _id }) => _id).reverse();
  await bulkUpdate(account.token, { ids, favorite: true });
  await moveToTrash(account.token, ids.slice(0, 1));
  return { ...account, folderId, ids };
}

async function everything(owner: Owner): Promise<readonly MediaObject[]> {
  return (await listPage(owner.token, { status: "all" })).images;
}

let owner: Owner;
let stranger: Owner;

beforeAll(async () => {
  [owner, stranger] = [await openOwner(), await openOwner()];
}, 30_000);

describe("Reading other accounts", () => {
  it.each([
    { q: "alike" },
    { q: "li" },
    { q: ".png" },
    { q: NAME.toUpperCase() },
    { tags: "alike" },
    { tag: "alike" },
    { excludeTags: "other" },
    { favorite: true },
    { mimePrefix: "image/" },
    { minSize: 500, maxSize: 500 },
    { from: "2020-01-01", to: "2999-12-31" },
    { q: "alike", tags: "alike", favorite: true, mimePrefix: "image/", minSize: 1, from: "2020-01-01" },
    {},
  ])("No upload of another account is shown by %j", async (query) => {
    for (const { token, ids } of [owner, stranger]) {
      const { images, pagination } = await listPage(token, { status: "all", folderId: "all", ...query });
      expect(images.map(({ _id }) => _id)).toEqual(ids);
      expect(pagination.total).toBe(ids.length);
    }
  });

  it("No upload is shown by another account's id, file name or account id", async () => {
    const [image] = await everything(stranger);
    for (const q of [image?._id, image?.filename, stranger.id, `uploads/${stranger.id}`]) {
      expect(await listIds(owner.token, { q: q ?? "", status: "all" })).toEqual([]);
    }
  });

  it("Another account's folder is 404 in a listing", async () => {
    for (const query of [{}, { status: "all" }, { q: "alike" }, { tags: "alike" }]) {
      const response = await requestList(owner.token, { folderId: stranger.folderId, ...query });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: "Folder not found", code: "folder_not_found", statusCode: 404 });
    }
  });

  it("No upload of another account is shown by its cursor", async () => {
    const { pagination } = await listPage(stranger.token, { status: "all", limit: 1 });
    const response = await requestList(owner.token, { status: "all", cursor: pagination.nextCursor ?? "" });
    expect([200, 400]).toContain(response.status);
    const { images = [] } = await response.json<{ images?: MediaObject[] }>();
    for (const { _id } of images) expect(owner.ids).toContain(_id);
  });

  it("Counts and statistics include nothing of another account", async () => {
    const count = { name: "Alike", itemCount: 1, _id: owner.folderId };
    expect(await listFolders(owner.token)).toMatchObject([count]);
    expect(await readStats(owner.token)).toMatchObject({
      storage: { used: 1500 },
      operations: { used: 3 },
      files: { total: 3, images: 3, videos: 0, trashed: 1, trashedBytes: 500 },
      folders: 1,
    });
  });
});

describe("Changing other accounts", () => {
  it.each([{ favorite: false }, { tags: ["mine"] }, { folderId: null }])(
    "`PATCH` of another account's upload with %j is 403",
    async (changes) => {
      const before = await everything(stranger);
      for (const id of stranger.ids) {
        const response = await patchImage(owner.token, id, changes);
        expect(response.status).toBe(403);
        expect(await response.json()).toEqual({ error: expect.any(String), code: expect.any(String), statusCode: 403 });
      }
      expect(await everything(stranger)).toEqual(before);
    },
  );

  it("`PATCH` into another account's folder is 404", async () => {
    const [id = ""] = owner.ids;
    const response = await patchImage(owner.token, id, { folderId: stranger.folderId, favorite: false });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: "Folder not found", code: "folder_not_found", statusCode: 404 });
    expect(await getImage(owner.token, id)).toMatchObject({ favorite: true });
    expect((await listPage(stranger.token, { folderId: stranger.folderId, status: "all" })).pagination.total).toBe(2);
  });

  it("Bulk update, trash and restore skip another account's uploads", async () => {
    const before = await everything(stranger);
    const { ids } = stranger;
    for (const changes of [{ favorite: false }, { addTags: ["mine"] }, { removeTags: ["alike"] }, { folderId: null }]) {
      expect(await bulkUpdate(owner.token, { ids, ...changes })).toBe(0);
    }
    expect(await moveToTrash(owner.token, ids)).toBe(0);
    expect(await restore(owner.token, ids)).toBe(0);
    expect(await bulkUpdate(owner.token, { ids: [...ids, ...owner.ids], addTags: ["mine"] })).toBe(owner.ids.length);
    expect(await bulkUpdate(owner.token, { ids: owner.ids, removeTags: ["mine"] })).toBe(owner.ids.length);
    expect(await everything(stranger)).toEqual(before);
  });

  it("A bulk update into another account's folder is 404", async () => {
    const before = await everything(owner);
    const body = { ids: owner.ids, folderId: stranger.folderId, addTags: ["mine"], favorite: false };
    const response = await requestBulkUpdate(owner.token, body);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: "Folder not found", code: "folder_not_found", statusCode: 404 });
    expect(await everything(owner)).toEqual(before);
  });

  it("Full tags of another account do not affect the limit of one's own uploads", async () => {
    const addTags = Array.from({ length: 50 }, (_, i) => `t${i}`);
    const [id = ""] = owner.ids;
    await changeImage(stranger.token, stranger.ids[0] ?? "", { tags: addTags });
    expect(await bulkUpdate(owner.token, { ids: [id, stranger.ids[0]], addTags: ["one more"] })).toBe(1);
    expect(await bulkUpdate(owner.token, { ids: [id], removeTags: ["one more"] })).toBe(1);
    await changeImage(stranger.token, stranger.ids[0] ?? "", { tags: ["alike"] });
  });
});

const ENDPOINTS: [string, string, unknown?][] = [
  ["GET", "/images?q=a&tags=b&status=all"],
  ["GET", "/images?page=0"],
  ["PATCH", "/images/ID", { favorite: true }],
  ["PATCH", "/images/ID", {}],
  ["POST", "/images/bulk-update", { ids: ["ID"], favorite: true }],
  ["GET", "/stats/overview"],
];

describe("Access", () => {
  const send = (token: string, method: string, path: string, body: unknown, id: string) => {
    const there = path.replace("ID", id);
    if (body === undefined) return call(there, { method, headers: bearer(token) });
    return callJson(method, there, token, JSON.parse(JSON.stringify(body).replace("ID", id)));
  };

  it.each(ENDPOINTS)("The endpoint %s %s refuses an upload key", async (method, path, body) => {
    const account = await openAccount();
    const [result] = await uploadMany(account.uploadKey, [{ name: NAME, bytes: png() }]);
    const response = await send(account.uploadKey, method, path, body, result?._id ?? "");
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: "API access requires Pro or Business tier",
      code: "api_tier_required",
      statusCode: 403,
    });
    expect(await listIds(account.token, { favorite: true })).toEqual([]);
  });

  it.each(ENDPOINTS.filter(([, path, body]) => path !== "/images?page=0" && JSON.stringify(body) !== "{}"))(
    "The endpoint %s %s accepts a session of every tier and every API key",
    async (method, path, body) => {
      for (const tier of ["free", "starter", "pro", "business"] as const) {
        const account = await openAccount(tier);
        const [result] = await uploadMany(account.token, [{ name: NAME, bytes: png() }]);
        const tokens = [account.token];
        if (tier === "pro" || tier === "business") tokens.push((await createApiKey(account.token)).key);
        for (const token of tokens) {
          expect((await send(token, method, path, body, result?._id ?? "")).status).toBe(200);
        }
      }
    },
  );

  it("Access ends with the key: a key of another tier's kind is refused", async () => {
    const account = await openAccount("pro");
    const { key } = await createApiKey(account.token);
    await setTier(account.email, "free");
    for (const [method, path, body] of ENDPOINTS) {
      expect((await send(key, method, path, body, owner.ids[0] ?? "")).status).toBe(401);
    }
  });
});
