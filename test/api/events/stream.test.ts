import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { findUpload, updateStatus } from "../../../src/db/library/uploads.ts";
import { toLoggedRow } from "../../../src/meter/books/uploads-and-deletions.ts";
import { digestOf } from "../../../src/meter/events/event.ts";
import { insertFolder, meterOf, replaceStores, restoreStores } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, openProAccount, uploadOne } from "../../support/api/api.ts";
import { failingDatabases, libraryOf } from "../../support/api/databases.ts";
import { ageEvents, alarm, countPages, readEvents, typesOf } from "../../support/events/events.ts";
import { png } from "../../support/media/samples.ts";
import { asOperator, takeDown } from "../../support/operator/as-operator.ts";
import { impossible, made } from "../../support/thumbnails/processor.ts";
import { deliverOne, stored } from "../../support/thumbnails/queue.ts";
import { storeVideo } from "../../support/thumbnails/state.ts";

const BY = { by: null, at: 0 };
const TIMEOUT_MS = Number(env.INTENT_TIMEOUT_SECONDS) * 1000;

afterEach(() => {
  vi.restoreAllMocks();
});

async function openReader(tier: "free" | "pro" = "free") {
  const account = await openAccount(tier);
  const { events, resumeCursor } = await readEvents(account);
  expect(events).toEqual([]);
  return { ...account, resumeCursor };
}

const patch = (token: string, id: string, body: unknown) => callJson("PATCH", `/images/${id}`, token, body);
const bulk = (token: string, verb: string, ids: readonly string[]) =>
  callJson("POST", `/images/bulk-${verb}`, token, { ids });

describe("GET /events", () => {
  it("`GET /events` lists what happened to an upload in order, each with an id and the media object", async () => {
    const account = await openReader();
    const { token } = account;
    const { _id } = await uploadOne(token, { name: "a.png", bytes: png() });
    const shown = await (await call(`/images/${_id}`, { headers: bearer(token) })).json<Record<string, unknown>>();
    await patch(token, _id, { tags: ["red"], favorite: true });
    await bulk(token, "trash", [_id]);
    await bulk(token, "restore", [_id]);
    await call(`/images/${_id}`, { method: "DELETE", headers: bearer(token) });
    const page = await readEvents(account);
    expect(typesOf(page)).toEqual([
      "upload.completed",
      "image.updated",
      "image.trashed",
      "image.restored",
      "image.deleted",
    ]);
    const { previewUrl: _, viewUrl: __, ...media } = shown;
    expect(page.events[0]).toEqual({
      _id: expect.stringMatching(/^msg_[0-9a-z]{26}$/),
      type: "upload.completed",
      timestamp: expect.stringMatching(/Z$/),
      data: media,
    });
    expect(page.events[1]?.data).toEqual({ ...media, tags: ["red"], favorite: true });
    expect(page.events[2]?.data).toMatchObject({ _id, status: "trash" });
    expect(page.events[3]?.data).toMatchObject({ _id, status: "active" });
    expect(page.events[4]?.data).toEqual({ _id, url: media.url, filename: media.filename, fileSize: media.fileSize });
    expect(new Set(page.events.map((event) => event._id)).size).toBe(5);
  });

  it("`GET /events` is paged by `limit`, and `resumeCursor` continues after the newest event", async () => {
    const account = await openReader();
    for (const name of ["a.png", "b.png", "c.png"]) await uploadOne(account.token, { name, bytes: png() });
    const first = await readEvents(account, { limit: "2" });
    expect(first.events.map(({ data }) => data.originalFilename)).toEqual(["a.png", "b.png"]);
    const second = await readEvents(account, { limit: "2", cursor: first.pagination.nextCursor ?? "" });
    expect(second.events.map(({ data }) => data.originalFilename)).toEqual(["c.png"]);
    expect(second.pagination.nextCursor).toBeNull();
    expect((await readEvents(account, { cursor: second.resumeCursor })).events).toEqual([]);
    await uploadOne(account.token, { name: "d.png", bytes: png() });
    const third = await readEvents(account, { cursor: second.resumeCursor });
    expect(third.events.map(({ data }) => data.originalFilename)).toEqual(["d.png"]);
    expect((await readEvents(account, { cursor: account.resumeCursor })).events.length).toBe(4);
  });

  it("`GET /events?from=recent` begins with the last `limit` events, and `from=now` after them", async () => {
    const account = await openReader();
    expect((await readEvents(account, { from: "recent" })).events).toEqual([]);
    for (const name of ["a.png", "b.png", "c.png"]) await uploadOne(account.token, { name, bytes: png() });
    const recent = await readEvents(account, { from: "recent", limit: "2" });
    expect(recent.events.map(({ data }) => data.originalFilename)).toEqual(["b.png", "c.png"]);
    expect(recent.pagination.nextCursor).toBeNull();
    expect((await readEvents(account, { from: "recent", limit: "9" })).events.length).toBe(3);
    const now = await readEvents(account, { from: "now" });
    expect(now.events).toEqual([]);
    await uploadOne(account.token, { name: "d.png", bytes: png() });
    for (const { resumeCursor } of [recent, now]) {
      const later = await readEvents(account, { cursor: resumeCursor });
      expect(later.events.map(({ data }) => data.originalFilename)).toEqual(["d.png"]);
    }
  });

  it("`GET /events` refuses cursors that are damaged or another account's, and keys confined to a folder", async () => {
    const [account, other] = [await openReader(), await openReader()];
    for (const cursor of [other.resumeCursor, `${account.resumeCursor}x`, "x"]) {
      const response = await call(`/events?cursor=${cursor}`, { headers: bearer(account.token) });
      expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_cursor" }]);
    }
    const pro = await openProAccount();
    const folderId = await insertFolder(pro.id);
    const made = await callJson("POST", "/keys", pro.token, { name: "one", scopes: ["images:read"], folderId });
    const { key } = await made.json<{ key: string }>();
    const confined = await call("/events", { headers: bearer(key) });
    expect([confined.status, await confined.json()]).toMatchObject([403, { code: "key_confined" }]);
    expect((await call("/events", { headers: bearer(pro.apiKey) })).status).toBe(200);
  });

  it("An account without a webhook records nothing until it reads events", async () => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() });
    await patch(account.token, _id, { favorite: true });
    expect(await countPages(account.id)).toBe(0);
    await readEvents(account);
    await uploadOne(account.token, { name: "b.png", bytes: png() });
    expect(await countPages(account.id)).toBe(1);
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
      storage.sql.exec("UPDATE event_reader SET read_at = ?", Date.now() - 32 * 86_400_000);
    });
    await restoreStores(account.id);
    await uploadOne(account.token, { name: "c.png", bytes: png() });
    expect((await readEvents(account)).events.length).toBe(1);
  });

  it("A change that changes nothing, or is refused, has no event", async () => {
    const account = await openReader();
    const { token } = account;
    const { _id } = await uploadOne(token, { name: "a.png", bytes: png() });
    await patch(token, _id, { favorite: false });
    await patch(token, _id, {});
    await bulk(token, "restore", [_id]);
    const tags = Array.from({ length: 40 }, (_, index) => `tag ${index}`);
    await patch(token, _id, { tags });
    const refused = await callJson("POST", "/images/bulk-update", token, {
      ids: [_id],
      addTags: Array.from({ length: 40 }, (_, index) => `other ${index}`),
    });
    expect(refused.status).toBe(400);
    const foreign = await openAccount();
    await bulk(foreign.token, "trash", [_id]);
    expect(typesOf(await readEvents(account))).toEqual(["upload.completed", "image.updated"]);
  });

  it("A bulk change has an event for each upload that changed, also by a filter", async () => {
    const account = await openReader();
    const { token } = account;
    const ids: string[] = [];
    for (let index = 0; index < 45; index++)
      ids.push((await uploadOne(token, { name: `${index}.png`, bytes: png() }))._id);
    await patch(token, ids[0] ?? "", { favorite: true });
    const { resumeCursor } = await readEvents(account);
    await callJson("POST", "/images/bulk-update", token, { ids, favorite: true });
    await callJson("POST", "/images/bulk-trash", token, { filter: { status: "active" } });
    const { events } = await readEvents(account, { cursor: resumeCursor });
    const of = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data._id);
    expect(of("image.updated").sort()).toEqual(ids.slice(1).sort());
    expect(of("image.trashed").sort()).toEqual([...ids].sort());
  });

  it("A change of visibility has one event for each file, also of many files and with other fields", async () => {
    const account = await openReader();
    const ids: string[] = [];
    for (const name of ["a.png", "b.png"]) ids.push((await uploadOne(account.token, { name, bytes: png() }))._id);
    const { resumeCursor } = await readEvents(account);
    const [one = "", other = ""] = ids;
    await patch(account.token, one, { visibility: "private" });
    await patch(account.token, one, { visibility: "private" });
    const single = await readEvents(account, { cursor: resumeCursor });
    expect(single.events.map(({ type, data }) => [type, data._id, data.visibility])).toEqual([
      ["image.updated", one, "private"],
    ]);
    await callJson("POST", "/images/bulk-update", account.token, { ids, visibility: "private" });
    const bulked = await readEvents(account, { cursor: single.resumeCursor });
    expect(bulked.events.map(({ type, data }) => [type, data._id, data.visibility])).toEqual([
      ["image.updated", other, "private"],
    ]);
    await patch(account.token, one, { visibility: "public", favorite: true });
    const last = (await readEvents(account, { cursor: bulked.resumeCursor })).events.at(-1);
    expect(last).toMatchObject({ type: "image.updated", data: { _id: one, visibility: "public", favorite: true } });
  });

  it("A takedown and its end each have an event", async () => {
    const account = await openReader();
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() });
    const { resumeCursor } = await readEvents(account);
    const { id } = await takeDown({ id: _id });
    const down = await readEvents(account, { cursor: resumeCursor });
    expect(typesOf(down)).toEqual(["image.updated"]);
    expect(down.events[0]?.data).toMatchObject({ _id, takedown: { reason: expect.any(String) } });
    await asOperator("DELETE", `takedowns/${id}`);
    const up = await readEvents(account, { cursor: down.resumeCursor });
    expect(typesOf(up)).toEqual(["image.updated"]);
    expect(up.events[0]?.data.takedown ?? null).toBeNull();
  });

  it("Two changes of one upload at once each have an event", async () => {
    const account = await openReader();
    const { token } = account;
    const { _id } = await uploadOne(token, { name: "a.png", bytes: png() });
    const { resumeCursor } = await readEvents(account);
    await Promise.all([patch(token, _id, { favorite: true }), patch(token, _id, { tags: ["red"] })]);
    expect(typesOf(await readEvents(account, { cursor: resumeCursor }))).toEqual(["image.updated", "image.updated"]);
  });

  it("Events end after 30 days", async () => {
    const account = await openReader();
    for (let index = 0; index < 45; index++) await uploadOne(account.token, { name: "a.png", bytes: png() });
    await ageEvents(account.id, 31 * 86_400_000);
    await uploadOne(account.token, { name: "new.png", bytes: png() });
    await alarm(account.id);
    // The newest row keeps the count, so a cursor stays valid.
    expect(await countPages(account.id)).toBe(1);
    expect((await readEvents(account, { cursor: account.resumeCursor })).events.length).toBeLessThanOrEqual(6);
  });
});

describe("an interrupted change", () => {
  async function announce() {
    const account = await openReader();
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() });
    const { resumeCursor } = await readEvents(account);
    const library = await libraryOf(account.id);
    const row = await findUpload(library, account.id, _id);
    if (row === undefined) throw new Error("There is no row");
    const uploads = [{ uploadId: _id, before: digestOf(toLoggedRow(row)) }];
    const announced = await meterOf(account.id).announceChanges({ type: "image.trashed", uploads });
    const trash = () =>
      updateStatus(library, account.id, [_id], { from: "active", to: "trash", within: undefined }, BY);
    return { account, _id, announced, trash, read: () => readEvents(account, { cursor: resumeCursor }) };
  }

  it("A request that died after its change has its event, once its time is over", async () => {
    const { account, _id, trash, read } = await announce();
    await trash();
    expect((await read()).events).toEqual([]);
    await ageEvents(account.id, TIMEOUT_MS);
    const { events } = await read();
    expect(events).toMatchObject([{ type: "image.trashed", data: { _id, status: "trash" } }]);
  });

  it("A request that died before its change has no event", async () => {
    const { account, read } = await announce();
    await ageEvents(account.id, TIMEOUT_MS);
    expect((await read()).events).toEqual([]);
    await uploadOne(account.token, { name: "b.png", bytes: png() });
    expect(typesOf(await read())).toEqual(["upload.completed"]);
  });

  it("A request whose object lost its memory has its event, also if the change was reversed", async () => {
    const { account, _id, announced, trash, read } = await announce();
    await trash();
    await announced?.end();
    announced?.[Symbol.dispose]();
    await restoreStores(account.id);
    await bulk(account.token, "restore", [_id]);
    await ageEvents(account.id, TIMEOUT_MS);
    expect(typesOf(await read())).toEqual(["image.trashed", "image.restored"]);
  });

  it("A change that was read before another and takes it back has its event", async () => {
    const account = await openReader();
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() });
    const library = await libraryOf(account.id);
    const row = await findUpload(library, account.id, _id);
    if (row === undefined) throw new Error("There is no row");
    await bulk(account.token, "trash", [_id]);
    // This request has read the row before the file moved to the trash.
    const uploads = [{ uploadId: _id, before: digestOf(toLoggedRow(row)) }];
    const announced = await meterOf(account.id).announceChanges({ type: "image.restored", uploads });
    await updateStatus(library, account.id, [_id], { from: "trash", to: "active", within: undefined }, BY);
    await announced?.end();
    announced?.[Symbol.dispose]();
    const { events } = await readEvents(account);
    expect(events.map(({ type, data }) => [type, data.status])).toEqual([
      ["upload.completed", "active"],
      ["image.trashed", "trash"],
      ["image.restored", "active"],
    ]);
  });

  it("A later change waits for an open one, and keeps the order", async () => {
    const { account, _id, trash, read } = await announce();
    await trash();
    await bulk(account.token, "restore", [_id]);
    expect((await read()).events).toEqual([]);
    await ageEvents(account.id, TIMEOUT_MS);
    expect(typesOf(await read())).toEqual(["image.trashed", "image.restored"]);
  });

  it("An outage of D1 delays events and loses none", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { account, announced, trash, read } = await announce();
    await trash();
    await announced?.end();
    announced?.[Symbol.dispose]();
    await replaceStores(account.id, failingDatabases());
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => storage.setAlarm(Date.now() + 3_600_000));
    await alarm(account.id);
    await restoreStores(account.id);
    await ageEvents(account.id, TIMEOUT_MS);
    expect(typesOf(await read())).toEqual(["image.trashed"]);
  });
});

describe("events of thumbnails", () => {
  it("A thumbnail has one event with the media object, however often its message arrives", async () => {
    const account = await openReader();
    const video = await storeVideo(account.id);
    const world = { processor: () => made() };
    for (let index = 0; index < 2; index++) await deliverOne(stored(video), world);
    const { events } = await readEvents(account);
    const ready = events.filter(({ type }) => type === "thumbnail.ready");
    expect(ready).toMatchObject([{ data: { _id: video.uploadId, thumbnail: "ready", durationMs: 12_345 } }]);
  });

  it("A video that gets no thumbnail has one event with the reason", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const account = await openReader();
    const video = await storeVideo(account.id);
    const world = { processor: () => impossible() };
    for (let index = 0; index < 2; index++) await deliverOne(stored(video), world);
    const { events } = await readEvents(account);
    const failed = events.filter(({ type }) => type === "thumbnail.failed");
    expect(failed.map(({ data }) => [data._id, data.thumbnailUrl])).toEqual([[video.uploadId, null]]);
  });
});
