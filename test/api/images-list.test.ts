import { beforeAll, describe, expect, it } from "vitest";
import { insertFolder } from "../support/api/account-state.ts";
import {
  bearer,
  call,
  callJson,
  openAccount,
  openProAccount,
  type TestAccount,
  type UploadResult,
  uploadOne,
} from "../support/api/api.ts";
import { inLibraries } from "../support/api/databases.ts";
import { gif, mp4, png } from "../support/media/samples.ts";

interface MediaObject {
  readonly _id: string;
  readonly status: string;
  readonly folderId: string | null;
}

interface Page {
  readonly images: MediaObject[];
  readonly pagination: { page: number; limit: number; total: number; totalPages: number };
}

async function list(account: TestAccount, query = ""): Promise<Page> {
  const response = await call(`/images${query}`, { headers: bearer(account.token) });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
}

async function idsOf(account: TestAccount, query = ""): Promise<string[]> {
  return (await list(account, query)).images.map(({ _id }) => _id);
}

describe("Media objects", () => {
  it("An image's media object has exactly the fields of MED-1", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "été 1.png", bytes: png(30, 20, 1536) }, { tags: "a,b" });
    const preview = `https://media.example/previews/${account.id}/${result._id}-${encodeURIComponent("été 1.png")}?preview=`;
    const expected = {
      _id: result._id,
      url: result.url,
      downloadUrl: `${result.url}?download=1`,
      thumbnailUrl: null,
      mimeType: "image/png",
      prompt: "été 1.png",
      modelName: "1.5 KB",
      size: { width: 30, height: 20 },
      // The file has only a PNG's first bytes.
      thumbHash: null,
      dominantColor: null,
      createdAt: result.createdAt,
      type: "upload",
      filename: result.filename,
      originalFilename: "été 1.png",
      fileSize: 1536,
      originalFileSize: 1536,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      compressed: false,
      durationMs: null,
      thumbnail: null,
      previewUrl: expect.stringContaining(preview),
      viewUrl: expect.stringContaining(`${result.url}?preview=`),
      folderId: null,
      tags: ["a", "b"],
      favorite: false,
      status: "active",
      visibility: "public",
      externalId: null,
      alt: null,
      metadata: null,
      expiresAt: null,
      takenAt: null,
      camera: null,
      lens: null,
      exposure: null,
      location: null,
      focalPoint: null,
    };
    expect((await list(account)).images).toEqual([expected]);
    const one = await call(`/images/${result._id}`, { headers: bearer(account.token) });
    expect(one.status).toBe(200);
    expect(await one.json()).toEqual(expected);
  });

  it("A video's media object has its thumbnail's URL", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.mp4", bytes: mp4() });
    expect((await list(account)).images).toMatchObject([
      { thumbnailUrl: result.thumbnailUrl, mimeType: "video/mp4", size: { width: 0, height: 0 } },
    ]);
  });
});

describe("Pages", () => {
  let account: TestAccount;
  const newestFirst: string[] = [];
  beforeAll(async () => {
    account = await openAccount("business");
    for (let i = 0; i < 7; i++) {
      newestFirst.unshift((await uploadOne(account.token, { name: `${i}.gif`, bytes: gif() }))._id);
    }
  });

  it("`GET /images` shows the newest upload first, 50 by default", async () => {
    const { images, pagination } = await list(account);
    expect(images.map(({ _id }) => _id)).toEqual(newestFirst);
    expect(pagination).toEqual({ page: 1, limit: 50, total: 7, totalPages: 1, nextCursor: null });
  });

  it.each([1, 2, 3, 6, 7, 8, 100])("`GET /images` shows every upload once with %d on a page", async (limit) => {
    const seen: string[] = [];
    const totalPages = Math.ceil(7 / limit);
    for (let page = 1; page <= totalPages; page++) {
      const { images, pagination } = await list(account, `?page=${page}&limit=${limit}`);
      const nextCursor = page === totalPages ? null : expect.any(String);
      expect(pagination).toEqual({ page, limit, total: 7, totalPages, nextCursor });
      seen.push(...images.map(({ _id }) => _id));
    }
    expect(seen).toEqual(newestFirst);
  });

  it.each([2, 1000, 1_000_000])("`GET /images` shows nothing on page %d, after the last one", async (page) => {
    expect(await list(account, `?page=${page}`)).toEqual({
      images: [],
      pagination: { page, limit: 50, total: 7, totalPages: 1, nextCursor: null },
    });
  });

  it("`GET /images` of an account without uploads has no page", async () => {
    const pagination = { page: 1, limit: 50, total: 0, totalPages: 0, nextCursor: null };
    expect(await list(await openAccount())).toEqual({ images: [], pagination });
  });

  const hostile = ["0", "-1", "abc", "1e1", "1.5", "%201", "0x1", "1,2", "NaN", "Infinity", "٣", "9".repeat(400)];
  it.each([
    ...hostile.flatMap((value) => [`page=${value}`, `limit=${value}`]),
    "limit=101",
    "page=1&page=2",
    "limit=1&limit=2",
    "page=1&limit=0",
    "page=0&limit=10",
    "page=99999999999999999999",
  ])("`GET /images` with ?%.40s is 400", async (query) => {
    const response = await call(`/images?${query}`, { headers: bearer(account.token) });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: "Invalid page or limit parameter",
      code: "invalid_paging",
      statusCode: 400,
    });
  });
});

describe("Status and folder", () => {
  let account: TestAccount;
  let folderId: string;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    account = await openAccount();
    folderId = await insertFolder(account.id);
    const place = { rootActive: {}, folderActive: { folderId }, rootTrash: {}, folderTrash: { folderId } };
    for (const [name, fields] of Object.entries(place)) {
      ids[name] = (await uploadOne(account.token, { name, bytes: png() }, fields))._id;
    }
    const trashed = { ids: [ids.rootTrash, ids.folderTrash] };
    expect((await callJson("POST", "/images/bulk-trash", account.token, trashed)).status).toBe(200);
  });

  it.each([
    ["", ["rootActive"]],
    ["?status=active", ["rootActive"]],
    ["?folderId=", ["rootActive"]],
    ["?status=trash", ["folderTrash", "rootTrash"]],
    ["?status=all", ["folderTrash", "rootTrash", "folderActive", "rootActive"]],
    ["?folderId=root", ["rootActive"]],
    ["?folderId=all", ["folderActive", "rootActive"]],
    ["?folderId=root&status=trash", ["rootTrash"]],
    ["?folderId=root&status=all", ["rootTrash", "rootActive"]],
    ["?folderId=all&status=all", ["folderTrash", "rootTrash", "folderActive", "rootActive"]],
    ["?folderId=FOLDER", ["folderActive"]],
    ["?folderId=FOLDER&status=trash", ["folderTrash"]],
    ["?folderId=FOLDER&status=all", ["folderTrash", "folderActive"]],
    ["?status=all&limit=2", ["folderTrash", "rootTrash"]],
    ["?status=all&limit=2&page=2", ["folderActive", "rootActive"]],
  ])("`GET /images` with %s shows %j", async (query, names) => {
    const { images, pagination } = await list(account, query.replace("FOLDER", folderId));
    expect(images.map(({ _id }) => _id)).toEqual(names.map((name) => ids[name]));
    if (!query.includes("limit")) expect(pagination.total).toBe(names.length);
    else expect(pagination).toMatchObject({ total: 4, totalPages: 2 });
  });

  it.each(["01hzy3v7k9q4r5s6t7v8w9x0ya", "nowhere", "ROOT", "' OR 1=1 --", "x".repeat(3000)])(
    "`GET /images` with the unknown folder %.30s is 404",
    async (unknown) => {
      const response = await call(`/images?folderId=${encodeURIComponent(unknown)}`, {
        headers: bearer(account.token),
      });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: "Folder not found", code: "folder_not_found", statusCode: 404 });
    },
  );

  it("`GET /images` with another account's folder is 404", async () => {
    const stranger = await openAccount();
    const response = await call(`/images?folderId=${folderId}`, { headers: bearer(stranger.token) });
    expect(response.status).toBe(404);
  });

  it.each(["deleted", "ACTIVE", "active,trash", "trash&status=all"])(
    "`GET /images` with status=%s is 400",
    async (status) => {
      const response = await call(`/images?status=${status}`, { headers: bearer(account.token) });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ details: { status: expect.any(String) } });
    },
  );
});

it("`GET /images` shows only the account's own uploads, by key and by session", async () => {
  const [account, stranger] = [await openProAccount(), await openAccount()];
  const { _id } = await uploadOne(account.apiKey, { name: "a.png", bytes: png() });
  await uploadOne(stranger.token, { name: "b.png", bytes: png() });
  expect(await idsOf(account)).toEqual([_id]);
  const byKey = await call("/images", { headers: bearer(account.apiKey) });
  expect((await byKey.json<Page>()).images.map((image) => image._id)).toEqual([_id]);
});

it("`GET /images` refuses an upload key", async () => {
  const account = await openAccount();
  for (const path of ["/images", "/images/01hzy3v7k9q4r5s6t7v8w9x0ya"]) {
    const response = await call(path, { headers: bearer(account.uploadKey) });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: "API access requires Pro or Business tier",
      code: "api_tier_required",
      statusCode: 403,
    });
  }
});

it("`GET /images` orders uploads of the same millisecond by their creation", async () => {
  const account = await openAccount();
  const files = Array.from({ length: 20 }, (_, i) => ({ name: `${i}.png`, bytes: png() }));
  const form = new FormData();
  for (const { name, bytes } of files) form.append("file", new File([bytes], name));
  const response = await call("/images/upload", { method: "POST", headers: bearer(account.token), body: form });
  const { uploaded } = await response.json<{ uploaded: UploadResult[] }>();
  expect(await idsOf(account)).toEqual(uploaded.map(({ _id }) => _id).reverse());
  expect(await inLibraries("SELECT id FROM uploads WHERE account_id = ?", account.id)).toHaveLength(20);
});
