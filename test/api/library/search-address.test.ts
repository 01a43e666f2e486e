import { beforeAll, describe, expect, it } from "vitest";
import { openLibraries } from "../../../src/db/library/library.ts";
import type { AccountContext } from "../../../src/services/context.ts";
import { listImages } from "../../../src/services/images/list-images.ts";
import { call, callJson, openAccount, type TestAccount, type UploadResult, uploadOne } from "../../support/api/api.ts";
import { libraries, shardOf } from "../../support/api/databases.ts";
import { CountedD1 } from "../../support/costs/counted-d1.ts";
import { getImage, listIds, listPage, moveToTrash } from "../../support/library/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { seedUploads } from "../../support/reconcile/seed-uploads.ts";

const NAME = "Café (1), 100% sure #2.png";

let account: TestAccount;
let photo: UploadResult;
let film: UploadResult;

beforeAll(async () => {
  account = await openAccount();
  photo = await uploadOne(account.token, { name: NAME, bytes: png() }, { tags: "sea" });
  film = await uploadOne(account.token, { name: "film.mp4", bytes: mp4(2000) });
});

describe("Search for a URL", () => {
  const addresses: [string, () => string][] = [
    ["the stored name", () => photo.filename],
    ["the path", () => `/${photo.filename}`],
    ["the path in capitals", () => `/${photo.filename}`.toUpperCase()],
    ["the encoded path", () => new URL(photo.url).pathname],
    ["the path that is encoded whole", () => encodeURIComponent(`/${photo.filename}`)],
    ["the URL", () => photo.url],
    ["the URL with its name decoded", () => decodeURI(photo.url)],
    ["the URL that is encoded whole", () => encodeURIComponent(photo.url)],
    ["the URL with a query", () => `${photo.url}?download=1`],
    ["the URL between blanks", () => `  ${photo.url}\n`],
    ["the URL at the API's address", () => `http://localhost:8787/${photo.filename}`],
    ["the URL at an address below a path", () => `https://media.example/files/${photo.filename}`],
    ["the URL that is cut off in its name", () => photo.url.slice(0, photo.url.indexOf("%") + 2)],
    ["a URL longer than other text may be", () => `${photo.url}?preview=${"x".repeat(1000)}`],
  ];

  it.each(addresses)("A search for %s finds the file", async (_, address) => {
    expect(await listIds(account.token, { q: address() })).toEqual([photo._id]);
  });

  it("A search for the URL of a thumbnail, a view or a preview finds the file", async () => {
    const image: { viewUrl?: string; previewUrl?: string | null } = await (
      await call(`/images/${photo._id}`, { headers: { Authorization: `Bearer ${account.token}` } })
    ).json();
    expect(image.viewUrl).toMatch(/^http/);
    expect(image.previewUrl).toMatch(/previews\//);
    for (const q of [image.viewUrl, image.previewUrl])
      expect(await listIds(account.token, { q: q ?? "" })).toEqual([photo._id]);
    const { thumbnailUrl = "" } = film as { thumbnailUrl?: string };
    for (const q of [thumbnailUrl, new URL(thumbnailUrl).pathname, new URL(thumbnailUrl).pathname.slice(1)])
      expect(await listIds(account.token, { q })).toEqual([film._id]);
  });
});

describe("Limits of a URL search", () => {
  it("A search for a URL finds nothing of another account", async () => {
    const other = await openAccount();
    await uploadOne(other.token, { name: NAME, bytes: png() });
    for (const q of [photo.url, `/${photo.filename}`, photo.filename])
      expect(await listIds(other.token, { q })).toEqual([]);
    // The other account's folder with this account's file in it.
    expect(await listIds(other.token, { q: photo.url.replace(account.id, other.id) })).toEqual([]);
  });

  it("A search for a URL finds nothing if the file is deleted or never existed", async () => {
    const gone = await uploadOne(account.token, { name: "gone.png", bytes: png() });
    await call(`/images/${gone._id}`, { method: "DELETE", headers: { Authorization: `Bearer ${account.token}` } });
    for (const q of [gone.url, gone.url.replace(gone._id, "0".repeat(26))])
      expect(await listPage(account.token, { q })).toMatchObject({ images: [], pagination: { total: 0 } });
  });

  it("A search for a URL combines with the other filters", async () => {
    const q = photo.url;
    const today = photo.createdAt.slice(0, 10);
    for (const also of [{ tags: "sea" }, { mimePrefix: "image/" }, { folderId: "root" }, { from: today, to: today }])
      expect(await listIds(account.token, { q, ...also }), JSON.stringify(also)).toEqual([photo._id]);
    for (const also of [
      { tags: "sun" },
      { mimePrefix: "video/" },
      { status: "trash" },
      { to: "2020-01-01" },
      { page: 2 },
    ])
      expect(await listIds(account.token, { q, ...also }), JSON.stringify(also)).toEqual([]);
    expect(await listPage(account.token, { q })).toMatchObject({ pagination: { total: 1, nextCursor: null } });
  });

  it("A search for a URL finds a file in the trash, and selects it for a bulk change", async () => {
    const old = await uploadOne(account.token, { name: "old.png", bytes: png() });
    const filter = { q: `/${old.filename}`, status: "active" };
    const updated = await callJson("POST", "/images/bulk-update", account.token, { filter, favorite: true });
    expect(await updated.json()).toMatchObject({ updated: 1 });
    expect(await getImage(account.token, old._id)).toMatchObject({ favorite: true });
    await moveToTrash(account.token, [old._id]);
    expect(await listIds(account.token, { q: old.url, status: "trash" })).toEqual([old._id]);
  });

  it("A search for a URL reads one upload, in a library of any size", async () => {
    const { id: accountId } = await openAccount();
    const keys = await seedUploads(accountId, 3000, { objects: false });
    const shard = await shardOf(accountId);
    const counted = new CountedD1(libraries.bindingOf(shard));
    const library = openLibraries({ [`LIBRARY_${shard}`]: counted as unknown as D1Database }).open(shard);
    const context = {
      library,
      accountId,
      principal: { kind: "session" },
      waitUntil: () => {},
    } as unknown as AccountContext;
    const search = `https://cdn.example/${keys[1500]}`;
    const query = { status: "active", page: 1, limit: 50, tags: [], excludedTags: [], search } as const;
    const { rows } = await listImages(context, query);
    expect(rows.map(({ objectKey }) => objectKey)).toEqual([keys[1500]]);
    expect(counted.rowsRead).toBeLessThan(30);
  });
});
