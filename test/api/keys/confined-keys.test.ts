import { beforeAll, describe, expect, it } from "vitest";
import { bearer, call, callJson, openAccount, type TestAccount, upload, uploadOne } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { begin, create, head, metadata, patch } from "../../support/uploads/tus.ts";

// AUTH-13: a key that is confined to a folder, and a holder who tries to reach other folders.

interface Shown {
  readonly _id: string;
  readonly folderId: string | null;
  readonly parentId?: string | null;
}

const ALL = ["folders:read", "folders:write"];
const picture = { name: "a.png", bytes: png() };

let account: TestAccount;
let key: string;
/** `mine` holds `below`; `others` is beside it. */
let mine: string;
let below: string;
let others: string;
/** Uploads in each folder and in Root. */
let inMine: string;
let inBelow: string;
let inOthers: string;
let inRoot: string;

async function ok<Answer>(answer: Promise<Response>, status = 200): Promise<Answer> {
  const response = await answer;
  expect(response.status, await response.clone().text()).toBe(status);
  return response.json();
}

const newFolder = async (token: string, body: object) => ok<Shown>(callJson("POST", "/folders", token, body), 201);
const get = (path: string, token = key) => call(path, { headers: bearer(token) });
const idsOf = async (path: string) => (await ok<{ images: Shown[] }>(get(path))).images.map(({ _id }) => _id).sort();
const folderOf = async (id: string) => (await ok<Shown>(get(`/images/${id}`, account.token))).folderId;

async function confinedKey(folderId: string, scopes: string[] = ALL): Promise<string> {
  const { key } = await ok<{ key: string }>(
    callJson("POST", "/keys", account.token, { name: "confined", scopes, folderId }),
    201,
  );
  return key;
}

beforeAll(async () => {
  account = await openAccount("business");
  const { token } = account;
  mine = (await newFolder(token, { name: "mine" }))._id;
  below = (await newFolder(token, { name: "below", parentId: mine }))._id;
  others = (await newFolder(token, { name: "others" }))._id;
  key = await confinedKey(mine);
  const put = async (fields: Record<string, string>) => (await uploadOne(token, picture, fields))._id;
  inMine = await put({ folderId: mine, tags: "seen" });
  inBelow = await put({ folderId: below, tags: "deep" });
  inOthers = await put({ folderId: others, tags: "secret" });
  inRoot = await put({ tags: "secret" });
});

describe("Making a confined key", () => {
  it("The answer and the list of keys name the folder", async () => {
    const made = await ok<Shown>(
      callJson("POST", "/keys", account.token, { name: "named", folderId: mine, scopes: ["upload"] }),
      201,
    );
    expect(made.folderId).toBe(mine);
    const { keys } = await ok<{ keys: Shown[] }>(get("/keys", account.token));
    expect(keys.find(({ _id }) => _id === made._id)?.folderId).toBe(mine);
  });

  it("A folder that is not the account's is 404", async () => {
    const stranger = await openAccount("pro");
    const foreign = (await newFolder(stranger.token, { name: "foreign" }))._id;
    for (const folderId of [foreign, "root", "all", "x"]) {
      expect((await callJson("POST", "/keys", account.token, { name: "x", folderId })).status).toBe(404);
    }
  });
});

describe("A confined key reads", () => {
  it("A listing without a folder shows the key's folder, for every status and search", async () => {
    for (const query of ["", "?folderId=root", "?folderId=", "?status=all", "?q=a.png", "?tags=seen"])
      expect(await idsOf(`/images${query}`)).toEqual([inMine]);
    expect(await idsOf("/images?status=trash")).toEqual([]);
    expect(await idsOf("/images?tags=secret")).toEqual([]);
  });

  it("A listing of a folder below the key's folder works, and a listing beyond it is refused", async () => {
    expect(await idsOf(`/images?folderId=${below}`)).toEqual([inBelow]);
    for (const path of ["/images", "/images/timeline"]) {
      expect((await get(`${path}?folderId=${others}`)).status).toBe(404);
      expect((await get(`${path}?folderId=all`)).status).toBe(403);
    }
    expect((await get("/images?folderId=all&q=a")).status).toBe(403);
  });

  it("A search of a confined key finds no upload elsewhere by any part of its name, id, path or URL", async () => {
    const { url, filename } = await ok<{ url: string; filename: string }>(get(`/images/${inOthers}`, account.token));
    for (const text of [inOthers, filename, url, "secret", "a"])
      expect(await idsOf(`/images?q=${encodeURIComponent(text)}`)).not.toContain(inOthers);
  });

  it("A cursor of another caller shows a confined key nothing outside its folder", async () => {
    const page = await ok<{ pagination: { nextCursor: string } }>(get("/images?folderId=all&limit=1", account.token));
    const { nextCursor } = page.pagination;
    const bulk = { filter: { status: "all" }, cursor: nextCursor, favorite: false };
    for (const answer of [
      await get(`/images?cursor=${nextCursor}`),
      await callJson("POST", "/images/bulk-update", key, bulk),
    ]) {
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: "invalid_cursor" });
    }
  });

  it("One upload outside the folder is unknown to a confined key", async () => {
    for (const id of [inMine, inBelow]) expect((await get(`/images/${id}`)).status).toBe(200);
    for (const id of [inOthers, inRoot]) {
      const response = await get(`/images/${id}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: "image_not_found" });
    }
  });

  it("The months of a confined key count only its folder, and the tags are the tags of its uploads", async () => {
    expect(await ok(get("/images/timeline"))).toMatchObject({ total: 1 });
    const { tags } = await ok<{ tags: { tag: string }[] }>(get("/tags"));
    expect(tags.map(({ tag }) => tag)).toEqual(["seen"]);
    expect(await ok(get("/tags?q=secr"))).toMatchObject({ tags: [] });
  });

  it("The list of folders of a confined key begins at its folder, shown as a folder of Root", async () => {
    const { folders } = await ok<{ folders: Shown[] }>(get("/folders"));
    expect(folders.map(({ _id, parentId }) => [_id, parentId]).sort()).toEqual(
      [
        [mine, null],
        [below, mine],
      ].sort(),
    );
  });
});

describe("A confined key changes", () => {
  it("An upload outside the folder cannot be changed, trashed, restored or deleted", async () => {
    for (const id of [inOthers, inRoot]) {
      expect((await callJson("PATCH", `/images/${id}`, key, { favorite: true })).status).toBe(404);
      expect((await callJson("PATCH", `/images/${id}`, key, { folderId: mine })).status).toBe(404);
      expect((await call(`/images/${id}`, { method: "DELETE", headers: bearer(key) })).status).toBe(404);
    }
    const ids = [inOthers, inRoot];
    for (const [path, change] of [
      ["/images/bulk-trash", {}],
      ["/images/bulk-restore", {}],
      ["/images/bulk-update", { favorite: true }],
      ["/images/bulk-update", { folderId: mine }],
      ["/images/bulk-update", { addTags: ["mine"] }],
    ] as const) {
      expect(await ok(callJson("POST", path, key, { ids, ...change }))).toEqual({ updated: 0 });
    }
    expect(await folderOf(inOthers)).toBe(others);
    expect(await folderOf(inRoot)).toBeNull();
  });

  it("A change by filter reaches only the named folder", async () => {
    const change = (filter: object) => callJson("POST", "/images/bulk-update", key, { filter, addTags: ["swept"] });
    expect(await ok(change({ status: "all" }))).toMatchObject({ updated: 1 });
    expect(await ok(change({ folderId: below }))).toMatchObject({ updated: 1 });
    expect((await change({ folderId: others })).status).toBe(404);
    expect((await change({ folderId: "all" })).status).toBe(403);
    for (const path of ["/images/bulk-trash", "/images/bulk-restore"])
      expect((await callJson("POST", path, key, { filter: { folderId: "all" } })).status).toBe(403);
    expect(await ok(callJson("POST", "/images/bulk-trash", key, { filter: { status: "all" } }))).toMatchObject({
      updated: 1,
    });
    expect(await ok(callJson("POST", "/images/bulk-restore", key, { filter: {} }))).toMatchObject({ updated: 1 });
    for (const id of [inOthers, inRoot]) {
      expect(await ok(get(`/images/${id}`, account.token))).toMatchObject({ tags: ["secret"], status: "active" });
    }
  });

  it("A confined key moves uploads within its folder, and Root means that folder", async () => {
    const move = (folderId: string | null) => callJson("PATCH", `/images/${inBelow}`, key, { folderId });
    expect(await ok(move(mine))).toMatchObject({ folderId: mine });
    expect(await ok(move(below))).toMatchObject({ folderId: below });
    expect(await ok(move(null))).toMatchObject({ folderId: mine });
    expect((await move(others)).status).toBe(404);
    const bulk = (folderId: string | null) =>
      callJson("POST", "/images/bulk-update", key, { ids: [inBelow], folderId });
    expect(await ok(bulk(below))).toEqual({ updated: 1 });
    expect(await ok(bulk("root"))).toEqual({ updated: 1 });
    expect((await bulk(others)).status).toBe(404);
    expect(await folderOf(inBelow)).toBe(mine);
    await ok(bulk(below));
  });

  it("A new folder is below the key's folder, and no folder leaves it", async () => {
    const made = await newFolder(key, { name: "made" });
    expect(made.parentId).toBe(mine);
    expect((await callJson("POST", "/folders", key, { name: "made", parentId: others })).status).toBe(404);
    const change = (id: string, body: object) => callJson("PATCH", `/folders/${id}`, key, body);
    expect(await ok(change(made._id, { parentId: below }))).toMatchObject({ parentId: below });
    expect(await ok(change(made._id, { parentId: null }))).toMatchObject({ parentId: mine });
    expect((await change(made._id, { parentId: others })).status).toBe(404);
    expect((await change(others, { name: "taken" })).status).toBe(404);
    expect((await change(others, { parentId: mine })).status).toBe(404);
    for (const body of [{ name: "renamed" }, { parentId: null }, { icon: "x" }])
      expect((await change(mine, body)).status).toBe(403);
    for (const id of [mine, below, others])
      expect((await call(`/folders/${id}`, { method: "DELETE", headers: bearer(key) })).status).toBe(403);
  });
});

describe("A confined key uploads", () => {
  it("A file of a confined key goes to its folder or to a folder below, by every way of uploading", async () => {
    expect(await uploadOne(key, picture)).toMatchObject({ folderId: mine });
    expect(await uploadOne(key, picture, { folderId: "root" })).toMatchObject({ folderId: mine });
    expect(await uploadOne(key, picture, { folderId: below })).toMatchObject({ folderId: below });
    expect((await upload(key, [picture], { folderId: others })).status).toBe(404);
    const raw = (query: string) =>
      call(`/images/upload?filename=a.png${query}`, {
        method: "POST",
        headers: { ...bearer(key), "Content-Type": "image/png" },
        body: picture.bytes,
      });
    expect(await ok(raw(""), 201)).toMatchObject({ folderId: mine });
    expect((await raw(`&folderId=${others}`)).status).toBe(404);
    const path = await begin(key, 2000);
    expect(await ok(patch(key, path, 0, mp4(2000)))).toMatchObject({ folderId: mine });
    const headers = { "Upload-Length": "5", "Upload-Metadata": metadata({ folderId: others }) };
    expect((await create(key, headers)).status).toBe(404);
  });

  it("An unfinished upload of another caller is unknown to a confined key, and so is its own after the owner has moved it away", async () => {
    const path = await begin(account.token, 2000);
    expect((await head(key, path)).status).toBe(404);
    const own = await begin(key, 2000);
    const { _id } = await ok<Shown>(patch(key, own, 0, mp4(2000)));
    expect((await get(own)).status).toBe(200);
    await ok(callJson("PATCH", `/images/${_id}`, account.token, { folderId: others }));
    expect((await get(own)).status).toBe(404);
  });

  it("An idempotency key of another caller is free for a limited key", async () => {
    const send = (token: string, bytes: Uint8Array<ArrayBuffer>) =>
      call("/images/upload?filename=once.png", {
        method: "POST",
        headers: { ...bearer(token), "Content-Type": "image/png", "Idempotency-Key": "once" },
        body: bytes,
      });
    const first = await ok<Shown>(send(account.token, png()), 201);
    const second = await ok<Shown>(send(key, png()), 201);
    expect(second._id).not.toBe(first._id);
    expect((await ok<Shown>(send(key, png()), 201))._id).toBe(second._id);
  });
});

describe("A confined key and the rest", () => {
  it("An endpoint that does not keep to a folder refuses a confined key", async () => {
    for (const path of ["/account", "/stats/overview", "/stats/operations", "/settings", "/alerts", "/logs"]) {
      const response = await get(path);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: "key_confined" });
    }
    expect((await get("/images/upload")).status).toBe(403);
  });

  it("A confined key gets no uncounted URLs in media objects", async () => {
    const { images } = await ok<{ images: object[] }>(get("/images"));
    for (const image of images) expect(Object.keys(image)).not.toContain("previewUrl");
    for (const image of images) expect(Object.keys(image)).not.toContain("viewUrl");
  });

  it("A key whose folder is deleted reaches nothing, not even Root", async () => {
    const { token } = account;
    const folder = (await newFolder(token, { name: "short-lived" }))._id;
    const lost = await confinedKey(folder);
    const { _id } = await uploadOne(lost, picture);
    await ok(call(`/folders/${folder}`, { method: "DELETE", headers: bearer(token) }));
    expect(await folderOf(_id)).toBeNull();
    for (const path of ["/images", `/images/${_id}`]) expect((await get(path, lost)).status).toBe(404);
    expect(await ok(get("/folders", lost))).toEqual({ folders: [], pagination: { nextCursor: null } });
    expect(await ok(get("/tags", lost))).toEqual({ tags: [], pagination: { nextCursor: null } });
    expect((await upload(lost, [picture])).status).toBe(404);
    expect((await callJson("POST", "/folders", lost, { name: "x" })).status).toBe(404);
    expect(await ok(callJson("POST", "/images/bulk-trash", lost, { ids: [_id] }))).toEqual({ updated: 0 });
  });

  it("A confined key keeps to its scopes, too", async () => {
    const drop = await confinedKey(mine, ["upload"]);
    expect(await uploadOne(drop, picture)).toMatchObject({ folderId: mine });
    for (const path of ["/images", "/folders", "/tags", `/images/${inMine}`])
      expect(await (await get(path, drop)).json()).toMatchObject({ code: "scope_required" });
  });
});
