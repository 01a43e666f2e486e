import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { thumbnailKey } from "../../../src/domain/object-key.ts";
import { meterOf, readMeter, replayIntents } from "../../support/api/account-state.ts";
import { bearer, call, callJson, createApiKey, openAccount, openProAccount, uploadOne } from "../../support/api/api.ts";
import { inLibraries } from "../../support/api/databases.ts";
import { createFolder, deleteImage, listPage, moveToTrash } from "../../support/library/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { kindsOf, moveAway, reconcileAll } from "../../support/reconcile/reconcile.ts";
import { Moment } from "../../support/reconcile/time-travel.ts";

const NEW_PASSWORD = "a new and better password";

function logIn(email: string, password: string): Promise<Response> {
  return callJson("POST", "/auth/login", undefined, { email, password });
}

async function register(): Promise<{ id: string; email: string; token: string; uploadKey: string }> {
  const email = `late-${crypto.randomUUID()}@example.com`;
  const response = await callJson("POST", "/auth/register", undefined, { email, password: NEW_PASSWORD });
  expect(response.status).toBe(201);
  const { account, token, uploadKey } = await response.json<{
    account: { _id: string };
    token: string;
    uploadKey: string;
  }>();
  return { id: account._id, email, token, uploadKey };
}

async function statusOf(url: string): Promise<number> {
  const response = await call(new URL(url).pathname);
  await response.arrayBuffer();
  return response.status;
}

describe("Databases restored to an hour ago", () => {
  it("A comparison after a restore recovers everything answered: exact figures, deletions still done", {
    timeout: 120_000,
  }, async () => {
    const account = await openProAccount();
    const erased = await openAccount();
    const deleted = await uploadOne(account.apiKey, { name: "deleted.png", bytes: png() }, { tags: "old" });
    const moved = await uploadOne(account.apiKey, { name: "moved.png", bytes: png() });
    const film = await uploadOne(account.apiKey, { name: "film.mp4", bytes: mp4(2000) });
    await env.FILES.put(thumbnailKey(account.id, film._id), new Uint8Array(300));
    await meterOf(account.id).settleThumbnail(film._id);
    const gone = await uploadOne(erased.uploadKey, { name: "gone.png", bytes: png() });

    const hourAgo = await Moment.of([account.id, erased.id]);

    const folderId = await createFolder(account.token, "New");
    const inFolder = await uploadOne(account.apiKey, { name: "folder.png", bytes: png() }, { folderId, tags: "sun" });
    const late = await uploadOne(account.apiKey, { name: "late.mp4", bytes: mp4(3000) });
    await env.FILES.put(thumbnailKey(account.id, late._id), new Uint8Array(400));
    await meterOf(account.id).settleThumbnail(late._id);
    await deleteImage(account.apiKey, deleted._id);
    await callJson("PATCH", `/images/${moved._id}`, account.apiKey, { folderId });
    await moveToTrash(account.token, [film._id]);
    const newKey = await createApiKey(account.token, ["folders:read"]);
    await call(`/keys/${account.apiKeyId}`, { method: "DELETE", headers: bearer(account.token) });
    await callJson("PATCH", "/settings", account.token, { autoCompress: true, compressionQuality: 77 });
    const change = { currentPassword: account.password, password: NEW_PASSWORD };
    expect((await callJson("PATCH", "/account", account.token, change)).status).toBe(200);
    const [opened, empty] = [await register(), await register()];
    const first = await uploadOne(opened.uploadKey, { name: "first.png", bytes: png() });
    expect((await callJson("DELETE", "/account", erased.token, { password: erased.password })).status).toBe(200);
    await replayIntents(erased.id);
    const before = await readMeter(account.id);

    await hourAgo.restore([account.id, erased.id, opened.id, empty.id]);
    expect((await listPage(account.token, { folderId: "all", status: "all" })).images.map(({ _id }) => _id)).toContain(
      deleted._id,
    );

    const { last } = await reconcileAll(true);
    const atLeast = {
      "row-lost": 3,
      "row-of-deleted": 1,
      "account-lost": 2,
      "account-differs": 1,
      "key-lost": 3,
      "revoked-key-lives": 1,
      "library-lost": 2,
      "erased-account": 1,
    };
    // Other tests' accounts are in the same stores.
    for (const [kind, count] of Object.entries(atLeast)) {
      expect(last?.repaired, kind).toHaveProperty(kind);
      expect(last?.repaired[kind as keyof typeof last.repaired], kind).toBeGreaterThanOrEqual(count);
    }

    const { images } = await listPage(newKey.key, { folderId: "all", status: "all" });
    expect(images.map(({ _id }) => _id).sort()).toEqual([moved._id, film._id, inFolder._id, late._id].sort());
    // Changes of an upload in that hour are lost; an upload whose folder is missing is in Root.
    expect(images.find(({ _id }) => _id === inFolder._id)).toMatchObject({ folderId: null, tags: ["sun"] });
    for (const { url } of [moved, film, inFolder, late]) expect(await statusOf(url)).toBe(200);
    expect(await statusOf(late.thumbnailUrl ?? "")).toBe(200);
    expect(await statusOf(deleted.url)).toBe(404);
    expect((await deleteImage(newKey.key, deleted._id)).status).toBe(404);
    const after = await readMeter(account.id);
    expect([after.storageBytes, after.operations]).toEqual([before.storageBytes, before.operations]);
    expect((await call("/images", { headers: bearer(account.apiKey) })).status).toBe(401);
    expect(await (await call("/settings", { headers: bearer(account.token) })).json()).toMatchObject({
      compressionQuality: 77,
    });
    expect((await logIn(account.email, account.password)).status).toBe(401);
    expect((await logIn(account.email, NEW_PASSWORD)).status).toBe(200);

    for (const { email } of [opened, empty]) expect((await logIn(email, NEW_PASSWORD)).status).toBe(200);
    expect((await listPage(opened.token, {})).images.map(({ _id }) => _id)).toEqual([first._id]);
    await uploadOne(empty.uploadKey, { name: "second.png", bytes: png() });

    expect((await logIn(erased.email, erased.password)).status).toBe(401);
    expect(await statusOf(gone.url)).toBe(404);
    expect(await env.DB.prepare("SELECT 1 FROM accounts WHERE id = ?").bind(erased.id).first()).toBeNull();
    expect(await inLibraries("SELECT 1 FROM libraries WHERE id = ?", erased.id)).toEqual([]);

    for (const { id } of [account, opened, empty]) expect(await kindsOf(id)).toEqual([]);
  });

  it("A restored database keeps erased accounts erased and revoked keys refused before a comparison", async () => {
    const account = await openProAccount();
    const hourAgo = await Moment.of([account.id]);
    await call(`/keys/${account.apiKeyId}`, { method: "DELETE", headers: bearer(account.token) });
    await hourAgo.restore([account.id]);
    expect((await call("/images", { headers: bearer(account.apiKey) })).status).toBe(401);
    await callJson("DELETE", "/account", account.token, { password: account.password });
    await replayIntents(account.id);
    await hourAgo.restore([account.id]);
    expect((await logIn(account.email, account.password)).status).toBe(401);
    expect((await call("/images", { headers: bearer(account.token) })).status).toBe(401);
    expect(await meterOf(account.id).erasure()).toMatchObject({ outcome: "erased" });
  });
});

describe("Shards restored to before a move", () => {
  it("A restored shard returns rows that only it has, and deletes the others", { timeout: 60_000 }, async () => {
    const account = await openProAccount();
    const kept = await uploadOne(account.apiKey, { name: "kept.png", bytes: png() });
    const deleted = await uploadOne(account.apiKey, { name: "deleted.png", bytes: png() });
    const before = await Moment.of([account.id]);
    await moveAway(account.id);
    await deleteImage(account.apiKey, deleted._id);
    const late = await uploadOne(account.apiKey, { name: "late.png", bytes: png() });
    await before.restore([account.id]);
    const { findings } = await reconcileAll(true);
    const kinds = findings.filter(({ accountId }) => accountId === account.id).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["account-differs", "library-lost", "library-elsewhere", "row-lost"]));
    const { images } = await listPage(account.apiKey, { folderId: "all" });
    expect(images.map(({ _id }) => _id).sort()).toEqual([kept._id, late._id].sort());
    expect(await kindsOf(account.id)).toEqual([]);
  });
});
