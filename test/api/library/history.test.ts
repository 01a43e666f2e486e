import { describe, expect, it } from "vitest";
import { MAX_KEPT_CHANGES } from "../../../src/domain/file-history.ts";
import { leaveIntent, replayIntents } from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  callJson,
  createApiKey,
  openAccount,
  openProAccount,
  type TestAccount,
  uploadOne,
} from "../../support/api/api.ts";
import { inLibraries } from "../../support/api/databases.ts";
import { share, visit } from "../../support/api/shares.ts";
import {
  bulkUpdate,
  changeImage,
  createFolder,
  deleteFolder,
  deleteImage,
  moveToTrash,
  restore,
} from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";
import { move, otherShard } from "../../support/shards/move.ts";
import { file, SITE, withInternet } from "../../support/uploads/import-sources.ts";
import { importUrls, openImporting, ringForImports, runToEnd } from "../../support/uploads/imports.ts";
import { begin, patch } from "../../support/uploads/tus.ts";
import { createToken } from "../../support/uploads/upload-tokens.ts";

// The history of a file (HIST-1): who uploaded and changed it, and when.

interface Entry {
  readonly type: string;
  readonly at: string;
  readonly by: object | null;
  readonly folderId?: string | null;
  readonly folderName?: string | null;
}

const SESSION = { type: "session", _id: null, name: null };
const photo = (bytes = 500) => ({ name: "a.png", bytes: png(2, 2, bytes) });

function askHistory(token: string, id: string): Promise<Response> {
  return call(`/history/${id}`, { headers: bearer(token) });
}

async function historyOf(token: string, id: string): Promise<Entry[]> {
  const response = await askHistory(token, id);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json<{ history: Entry[] }>()).history;
}

/** The entries without their times, which never increase. */
async function entriesOf(token: string, id: string): Promise<Omit<Entry, "at">[]> {
  const entries = await historyOf(token, id);
  const times = entries.map(({ at }) => at);
  expect(times).toEqual(times.toSorted().reverse());
  return entries.map(({ at: _, ...entry }) => entry);
}

async function replace(token: string, id: string): Promise<void> {
  const headers = { ...bearer(token), "Content-Type": "image/png" };
  const response = await call(`/images/${id}/content`, { method: "PUT", headers, body: png(3, 3, 700) });
  expect(response.status, await response.clone().text()).toBe(200);
}

describe("Changes", () => {
  it("Each kind of change is an entry with its time and its author, newest first", async () => {
    const { token, apiKey, apiKeyId } = await openProAccount();
    const key = { type: "key", _id: apiKeyId, name: "test" };
    const folderId = await createFolder(token, "Summer");
    const { _id, createdAt } = await uploadOne(apiKey, photo());
    await changeImage(token, _id, { folderId });
    await changeImage(apiKey, _id, { originalFilename: "b.png" });
    await replace(token, _id);
    await moveToTrash(apiKey, [_id]);
    await restore(token, [_id]);
    expect(await bulkUpdate(apiKey, { ids: [_id], folderId: null })).toBe(1);
    expect(await entriesOf(token, _id)).toEqual([
      { type: "moved", by: key, folderId: null, folderName: null },
      { type: "restored", by: SESSION },
      { type: "trashed", by: key },
      { type: "replaced", by: SESSION },
      { type: "renamed", by: key },
      { type: "moved", by: SESSION, folderId, folderName: "Summer" },
      { type: "uploaded", by: key },
    ]);
    expect((await historyOf(token, _id)).at(-1)?.at).toBe(createdAt);
  });

  it("One change of folder and name is two entries, and a change of nothing or of other facts is none", async () => {
    const { token } = await openAccount();
    const folderId = await createFolder(token, "Summer");
    const { _id } = await uploadOne(token, photo());
    await changeImage(token, _id, { folderId, originalFilename: "b.png" });
    await changeImage(token, _id, { folderId, originalFilename: "b.png", favorite: true });
    await changeImage(token, _id, { tags: ["sea"], alt: "A view" });
    await bulkUpdate(token, { ids: [_id], folderId, addTags: ["sun"] });
    await restore(token, [_id]);
    expect((await entriesOf(token, _id)).map(({ type }) => type)).toEqual(["renamed", "moved", "uploaded"]);
  });

  it("A change by a filter is an entry of each file that it changes", async () => {
    const { token } = await openAccount();
    const [first, second] = [await uploadOne(token, photo()), await uploadOne(token, photo(600), { tags: "draft" })];
    await callJson("POST", "/images/bulk-trash", token, { filter: { tags: ["draft"] } });
    expect((await entriesOf(token, first._id)).length).toBe(1);
    expect((await entriesOf(token, second._id)).map(({ type }) => type)).toEqual(["trashed", "uploaded"]);
  });

  it("The deletion of a folder moves its files to Root, and the folder has no name any more", async () => {
    const { token } = await openAccount();
    const folderId = await createFolder(token, "Summer");
    const { _id } = await uploadOne(token, photo());
    await changeImage(token, _id, { folderId });
    await deleteFolder(token, folderId);
    expect(await entriesOf(token, _id)).toEqual([
      { type: "moved", by: SESSION, folderId: null, folderName: null },
      { type: "moved", by: SESSION, folderId, folderName: null },
      { type: "uploaded", by: SESSION },
    ]);
  });

  it("A deletion of a folder that the alarm finishes has its author, and an older one has none", async () => {
    const { id, token, apiKeyId } = await openProAccount();
    const folders = [await createFolder(token, "New"), await createFolder(token, "Old")];
    const files = [
      await uploadOne(token, photo(), { folderId: folders[0] ?? "" }),
      await uploadOne(token, photo(600), { folderId: folders[1] ?? "" }),
    ];
    await leaveIntent(id, { kind: "delete-folder", folderId: folders[0] ?? "", by: `key:${apiKeyId}` });
    await leaveIntent(id, { kind: "delete-folder", folderId: folders[1] ?? "" });
    await replayIntents(id);
    const [moved, movedLongAgo] = [
      await entriesOf(token, files[0]?._id ?? ""),
      await entriesOf(token, files[1]?._id ?? ""),
    ];
    expect(moved[0]).toMatchObject({ type: "moved", folderId: null, by: { _id: apiKeyId } });
    expect(movedLongAgo[0]).toMatchObject({ type: "moved", folderId: null, by: null });
  });
});

describe("Uploads", () => {
  it("A revoked key keeps its name", async () => {
    const { token, apiKey, apiKeyId } = await openProAccount();
    const { _id } = await uploadOne(apiKey, photo());
    expect((await call(`/keys/${apiKeyId}`, { method: "DELETE", headers: bearer(token) })).status).toBe(200);
    expect(await entriesOf(token, _id)).toEqual([
      { type: "uploaded", by: { type: "key", _id: apiKeyId, name: "test", revoked: true } },
    ]);
  });

  it("An upload key and an upload token are authors", async () => {
    const { token, uploadKey } = await openAccount();
    const byKey = await uploadOne(uploadKey, photo());
    expect(await entriesOf(token, byKey._id)).toMatchObject([{ by: { type: "key", name: "Upload key" } }]);
    const visitor = await createToken(uploadKey);
    const byToken = await uploadOne(visitor.token, photo(600));
    const author = { type: "upload_token", _id: visitor._id, name: null };
    expect(await entriesOf(token, byToken._id)).toEqual([{ type: "uploaded", by: author }]);
  });

  it("A guest of a share is the author, by the share's title until the share is deleted", async () => {
    const { token } = await openAccount();
    const shared = await share(token, { folderId: "root", allowUpload: true, title: "Party" });
    const page = await (await visit(shared.url)).text();
    const guest = /<media-upload [^>]*token="([^"]+)"/.exec(page)?.[1] ?? "";
    const { _id } = await uploadOne(guest, photo());
    const author = { type: "share", _id: shared._id, name: "Party" };
    expect(await entriesOf(token, _id)).toEqual([{ type: "uploaded", by: author }]);
    await call(`/shares/${shared._id}`, { method: "DELETE", headers: bearer(token) });
    expect(await entriesOf(token, _id)).toEqual([{ type: "uploaded", by: { ...author, name: null } }]);
  });

  it("The creator of a resumable upload is its author, whoever sends the last bytes", async () => {
    const { token, uploadKey } = await openAccount();
    const bytes = png(2, 2, 1000);
    const path = await begin(uploadKey, bytes.length, { filename: "a.png" });
    await patch(uploadKey, path, 0, bytes.slice(0, 400));
    expect((await patch(token, path, 400, bytes.slice(400))).status).toBe(200);
    const id = path.split("/").at(-1) ?? "";
    expect(await entriesOf(token, id)).toMatchObject([{ type: "uploaded", by: { type: "key", name: "Upload key" } }]);
  });

  it("The history of a file of an earlier version begins with only its time, and gets later changes", async () => {
    const { token } = await openAccount();
    const { _id, createdAt } = await uploadOne(token, photo());
    await inLibraries("UPDATE uploads SET uploaded_by = NULL, history = NULL WHERE id = ?", _id);
    expect(await historyOf(token, _id)).toEqual([{ type: "uploaded", at: createdAt, by: null }]);
    await moveToTrash(token, [_id]);
    expect(await entriesOf(token, _id)).toEqual([
      { type: "trashed", by: SESSION },
      { type: "uploaded", by: null },
    ]);
  });
});

describe("Imports", () => {
  withInternet((internet) => {
    internet.answer = () => file(png(2, 2, 800));
  });

  it("The caller that created an import is the author of its files", async () => {
    const account = await openImporting("pro");
    const { key, _id } = await createApiKey(account.token, ["upload"]);
    const id = await importUrls(key, [`${SITE}/a.png`]);
    await ringForImports(account);
    const { items } = await runToEnd(account, id);
    expect(await entriesOf(account.token, items[0]?.uploadId ?? "")).toEqual([
      { type: "uploaded", by: { type: "key", _id, name: "test" } },
    ]);
  });
});

describe("Bounds", () => {
  it(`The last ${MAX_KEPT_CHANGES} changes are kept, and the upload`, async () => {
    const { token } = await openAccount("business");
    const [summer, winter] = [await createFolder(token, "Summer"), await createFolder(token, "Winter")];
    const { _id } = await uploadOne(token, photo());
    await moveToTrash(token, [_id]);
    await restore(token, [_id]);
    for (let change = 0; change < MAX_KEPT_CHANGES; change++)
      await changeImage(token, _id, {
        folderId: change % 2 === 0 ? summer : winter,
        originalFilename: `${change}.png`,
      });
    const types = (await entriesOf(token, _id)).map(({ type }) => type);
    expect(types.length).toBe(MAX_KEPT_CHANGES + 1);
    expect(types).toEqual([
      ...Array.from({ length: MAX_KEPT_CHANGES / 2 }, () => ["renamed", "moved"]).flat(),
      "uploaded",
    ]);
    const [row] = await inLibraries<{ bytes: number }>(
      "SELECT length(history) AS bytes FROM uploads WHERE id = ?",
      _id,
    );
    expect(row?.bytes).toBeLessThan(2048);
  });

  it("An unknown id, another account's file and a deleted one are 404", async () => {
    const [{ token }, stranger] = [await openAccount(), await openAccount()];
    const { _id } = await uploadOne(token, photo());
    const outcome = async (id: string, as: Pick<TestAccount, "token"> = { token }) => {
      const response = await askHistory(as.token, id);
      return [response.status, (await response.json<{ error?: string }>()).error];
    };
    const unknown = [404, "Image not found"];
    expect(await outcome("nothing")).toEqual(unknown);
    expect(await outcome(_id, stranger)).toEqual(unknown);
    expect(await outcome(_id)).toEqual([200, undefined]);
    await deleteImage(token, _id);
    expect(await outcome(_id)).toEqual(unknown);
  });

  it("A key that may only read files, or is confined to a folder, gets no names of keys", async () => {
    const { token } = await openAccount("pro");
    const folderId = await createFolder(token, "Summer");
    const { _id } = await uploadOne(token, photo(), { folderId });
    const reader = await createApiKey(token, ["images:read"]);
    const confined = await createApiKey(token, [], { folderId });
    const whole = await createApiKey(token, ["account"]);
    const statuses = [reader, confined, whole].map(async ({ key }) => (await askHistory(key, _id)).status);
    expect(await Promise.all(statuses)).toEqual([403, 403, 200]);
  });

  it("A history moves with the library, and is gone with the account", async () => {
    const account = await openProAccount();
    const { _id } = await uploadOne(account.apiKey, photo());
    await moveToTrash(account.token, [_id]);
    const before = await historyOf(account.token, _id);
    expect(before.length).toBe(2);
    expect((await move(account.email, await otherShard(account.id))).outcome).toBe("moved");
    expect(await historyOf(account.token, _id)).toEqual(before);
    const erased = await callJson("DELETE", "/account", account.token, { password: account.password });
    expect(erased.status).toBe(200);
    expect(await inLibraries("SELECT id FROM uploads WHERE uploaded_by = ?", `key:${account.apiKeyId}`)).toEqual([]);
  });
});
