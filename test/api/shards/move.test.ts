import { createExecutionContext, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { deleteUploads, insertUploads } from "../../../src/db/library/uploads.ts";
import worker from "../../../src/worker.ts";
import { meterOf, readMeter, replaceStores, replayIntents, restoreStores } from "../../support/api/account-state.ts";
import {
  BASE_URL,
  bearer,
  call,
  callJson,
  openAccount,
  type TestAccount,
  upload,
  uploadOne,
} from "../../support/api/api.ts";
import { around } from "../../support/api/around-meters.ts";
import {
  failingDatabases,
  inLibraries,
  libraries,
  libraryOf,
  replaceLibraries,
  shardOf,
} from "../../support/api/databases.ts";
import { changeImage, deleteImage, getImage, listIds, listPage } from "../../support/library/api.ts";
import { openLibrary } from "../../support/library/fixture.ts";
import { png } from "../../support/media/samples.ts";
import { move, otherShard, requestMove, rowsOf, seenOf } from "../../support/shards/move.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";
import { newUpload } from "../../support/uploads/new-upload.ts";

const PICTURE = { name: "a.png", bytes: png() };

/** The old rows stay for a minute. */
async function clear(accountId: string): Promise<void> {
  await replayIntents(accountId);
  expect((await readMeter(accountId)).intents).toEqual([]);
}

describe("Moving a library", () => {
  it("A moved library has the same items, folders, tags, search and counts, and leaves nothing behind", async () => {
    const { account } = await openLibrary(60);
    const [from, to] = [await shardOf(account.id), await otherShard(account.id)];
    const [before, rows] = [await seenOf(account), (await rowsOf(account.id))[from]];
    expect(before.lists.every(([, images]) => images.length > 0)).toBe(true);
    expect(await move(account.email, to)).toEqual({ outcome: "moved" });
    expect(await shardOf(account.id)).toBe(to);
    expect(await seenOf(account)).toEqual(before);
    await clear(account.id);
    const left = await rowsOf(account.id);
    expect(left[from]).toEqual({});
    expect(left[to]).toEqual(rows);
    expect(await seenOf(account)).toEqual(before);
  });

  it("A moved library takes uploads, changes and deletions, and can move back", async () => {
    const account = await openAccount();
    const [from, to] = [await shardOf(account.id), await otherShard(account.id)];
    const old = await uploadOne(account.uploadKey, PICTURE);
    await move(account.email, to);
    await clear(account.id);
    const young = await uploadOne(account.uploadKey, PICTURE);
    await changeImage(account.token, old._id, { favorite: true, tags: ["one"] });
    expect(await listIds(account.token)).toEqual([young._id, old._id]);
    expect((await call(new URL(old.url).pathname)).status).toBe(200);
    expect((await deleteImage(account.token, old._id)).status).toBe(200);
    expect(await inLibraries("SELECT id FROM moved_uploads WHERE account_id = ?", account.id)).toEqual([]);
    await move(account.email, from);
    await clear(account.id);
    expect(await listIds(account.token)).toEqual([young._id]);
    expect((await deleteImage(account.token, young._id)).status).toBe(200);
    expect((await call("/stats/overview", { headers: bearer(account.token) })).status).toBe(200);
    expect(Object.values(await rowsOf(account.id)).filter((rows) => Object.keys(rows).length > 0)).toEqual([]);
  });

  it("A moved library's uploads are 403 to others after every move, until they are deleted", async () => {
    const [account, stranger] = [await openAccount(), await openAccount()];
    const [from, to] = [await shardOf(account.id), await otherShard(account.id)];
    const [kept, doomed] = [await uploadOne(account.uploadKey, PICTURE), await uploadOne(account.uploadKey, PICTURE)];
    const asked = async (id: string) => (await call(`/images/${id}`, { headers: bearer(stranger.token) })).status;
    expect(await asked(kept._id)).toBe(403);
    for (const shard of [to, from]) {
      await move(account.email, shard);
      expect(await asked(kept._id)).toBe(403);
      await clear(account.id);
      expect(await asked(kept._id)).toBe(403);
    }
    await move(account.email, to);
    await clear(account.id);
    await deleteImage(account.token, doomed._id);
    expect([await asked(kept._id), await asked(doomed._id)]).toEqual([403, 404]);
  });

  it("A library being copied is readable, and changes made then are kept in the right place", async () => {
    const account = await openAccount();
    const to = await otherShard(account.id);
    const { _id } = await uploadOne(account.uploadKey, PICTURE);
    const gate = Promise.withResolvers<void>();
    await replaceStores(account.id, heldBack(gate.promise));
    const moving = move(account.email, to);
    await until(async () => (await stateOf(account)) === "leaving");
    expect(await listIds(account.token)).toEqual([_id]);
    const changes = [
      callJson("PATCH", `/images/${_id}`, account.token, { tags: ["late"] }),
      callJson("POST", "/folders", account.token, { name: "Late" }),
      callJson("POST", "/images/bulk-update", account.token, { ids: [_id], favorite: true }),
    ];
    const refused = await upload(account.uploadKey, [PICTURE]);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("Retry-After")).toBe("5");
    expect(await getImage(account.token, _id)).toMatchObject({ tags: [], favorite: false });
    gate.resolve();
    expect(await moving).toEqual({ outcome: "moved" });
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 201, 200]);
    await restoreStores(account.id);
    await clear(account.id);
    expect(await getImage(account.token, _id)).toMatchObject({ tags: ["late"], favorite: true });
    expect(Object.keys((await rowsOf(account.id))[to] ?? {}).sort()).toContain("folders");
    expect((await upload(account.uploadKey, [PICTURE])).status).toBe(201);
  });

  it("A library being copied accepts deletions", async () => {
    const account = await openAccount();
    const { _id, url } = await uploadOne(account.uploadKey, PICTURE);
    const gate = Promise.withResolvers<void>();
    await replaceStores(account.id, heldBack(gate.promise));
    const moving = move(account.email, await otherShard(account.id));
    await until(async () => (await stateOf(account)) === "leaving");
    const deletion = deleteImage(account.token, _id);
    await new Promise((resolve) => setTimeout(resolve, 300));
    gate.resolve();
    expect([(await moving).outcome, (await deletion).status]).toEqual(["moved", 200]);
    await restoreStores(account.id);
    await clear(account.id);
    expect((await listPage(account.token, { status: "all" })).pagination.total).toBe(0);
    expect((await call(new URL(url).pathname)).status).toBe(404);
    expect((await readMeter(account.id)).storageBytes).toBe(0);
  });

  it("An upload deleted after a move is unknown, before and after the old rows are deleted", async () => {
    const [account, stranger] = [await openAccount(), await openAccount()];
    const { _id } = await uploadOne(account.uploadKey, PICTURE);
    const asked = async ({ token }: TestAccount) => (await call(`/images/${_id}`, { headers: bearer(token) })).status;
    await move(account.email, await otherShard(account.id));
    expect((await deleteImage(account.token, _id)).status).toBe(200);
    expect([await asked(account), await asked(stranger)]).toEqual([404, 404]);
    await clear(account.id);
    expect([await asked(account), await asked(stranger)]).toEqual([404, 404]);
    expect(await inLibraries("SELECT id FROM moved_uploads WHERE account_id = ?", account.id)).toEqual([]);
  });

  it("A change of visibility is answered although the library has moved meanwhile", async () => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.uploadKey, PICTURE);
    const to = await otherShard(account.id);
    const after = async () => {
      expect(await move(account.email, to)).toEqual({ outcome: "moved" });
      await replayIntents(account.id);
    };
    const request = new Request(`${BASE_URL}/images/${_id}`, {
      method: "PATCH",
      headers: { ...bearer(account.token), "Content-Type": "application/json" },
      body: JSON.stringify({ visibility: "private" }),
    });
    const meters = around(env.ACCOUNT_METER, "changeVisibility", { after });
    const response = await worker.fetch(request, { ...env, ACCOUNT_METER: meters }, createExecutionContext());
    expect([response.status, await response.json()]).toMatchObject([200, { _id, visibility: "private" }]);
  });

  it("A deletion that arrives late at the old shard deletes in the new one", async () => {
    const account = await openAccount();
    const [from, to] = [await shardOf(account.id), await otherShard(account.id)];
    const { _id } = await uploadOne(account.uploadKey, PICTURE);
    await move(account.email, to);
    await deleteUploads(
      libraries.open(from, async () => to),
      account.id,
      [_id],
    );
    expect((await rowsOf(account.id))[to]).toEqual({});
    expect((await listPage(account.token, { status: "all" })).pagination.total).toBe(0);
  });

  it("A move waits for an upload in progress, and refuses new ones meanwhile", async () => {
    const account = await openAccount();
    const under = new InterruptedUpload(account.id, "image");
    await under.reserve();
    await under.put();
    const to = await otherShard(account.id);
    expect(await (await requestMove(account.email, to)).json()).toEqual({ outcome: "moving" });
    expect((await upload(account.uploadKey, [PICTURE])).status).toBe(503);
    await under.insertRow();
    await under.settle();
    expect(await move(account.email, to)).toEqual({ outcome: "moved" });
    expect(await listIds(account.token)).toEqual([under.uploadId]);
  });

  it("A move renumbers uploads whose numbers another account has, in the same order", async () => {
    const account = await openAccount("free", "00");
    const other = await openAccount("free", "01");
    const createdAt = Date.UTC(2025, 1, 1);
    const rows = Array.from({ length: 5 }, () => newUpload(account.id, { createdAt, objectKey: "k" }));
    await insertUploads(await libraryOf(account.id), rows);
    await insertUploads(
      await libraryOf(other.id),
      [0, 1].map(() => newUpload(other.id, { createdAt })),
    );
    const before = await listIds(account.token);
    await move(account.email, "01");
    await clear(account.id);
    expect(await listIds(account.token)).toEqual(before);
    expect((await listIds(other.token)).length).toBe(2);
  });

  it("A move is cancelled if the copy has other figures", async () => {
    const account = await openAccount("free", "00");
    await uploadOne(account.uploadKey, PICTURE);
    // A count without an upload.
    await libraries
      .bindingOf("00")
      .prepare("INSERT INTO upload_counts VALUES (?, '*', 'tag', 'active', 'ghost', 1, 1)")
      .bind(account.id)
      .run();
    const before = await seenOf(account);
    expect(await move(account.email, "01")).toEqual({ outcome: "unchanged" });
    expect([await shardOf(account.id), await seenOf(account)]).toEqual(["00", before]);
    expect((await rowsOf(account.id))["01"]).toEqual({});
    expect((await upload(account.uploadKey, [PICTURE])).status).toBe(201);
  });

  it("An account erased during its move leaves nothing in either shard", async () => {
    const account = await openAccount();
    await uploadOne(account.uploadKey, PICTURE);
    const gate = Promise.withResolvers<void>();
    await replaceStores(account.id, heldBack(gate.promise));
    const moving = requestMove(account.email, await otherShard(account.id));
    await until(async () => (await stateOf(account)) === "leaving");
    const erasing = callJson("DELETE", "/account", account.token, { password: account.password });
    await new Promise((resolve) => setTimeout(resolve, 100));
    gate.resolve();
    await moving;
    expect([200, 503]).toContain((await erasing).status);
    await restoreStores(account.id);
    await replayIntents(account.id);
    await replayIntents(account.id);
    expect(Object.values(await rowsOf(account.id)).filter((rows) => Object.keys(rows).length > 0)).toEqual([]);
    expect(await inLibraries("SELECT * FROM libraries WHERE id = ?", account.id)).toEqual([]);
  });

  it("A move of an unknown account or shard is refused, and to its own shard changes nothing", async () => {
    const account = await openAccount();
    expect((await requestMove("nobody@example.com", "00")).status).toBe(404);
    for (const shard of ["99", "x1"]) expect((await requestMove(account.email, shard)).status).toBe(404);
    expect((await requestMove(account.email, "000")).status).toBe(400);
    expect(await move(account.email, await shardOf(account.id))).toEqual({ outcome: "moved" });
  });
});

describe("Interrupted moves", () => {
  it("A move sets its alarm first, so that it resumes if its object is killed", async () => {
    const account = await openAccount();
    // The opening of the account left an alarm.
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => storage.deleteAlarm());
    // The object reads the time of its alarm when it wakes.
    await evictDurableObject(meterOf(account.id));
    const gate = Promise.withResolvers<void>();
    await replaceStores(
      account.id,
      replaceLibraries((real) => whenRun(real, () => gate.promise)),
    );
    const asked = requestMove(account.email, await otherShard(account.id));
    await until(async () => (await readMeter(account.id)).intents.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const alarmAt = await runInDurableObject(meterOf(account.id), (_meter, { storage }) => storage.getAlarm());
    gate.resolve();
    await asked;
    expect(alarmAt).not.toBeNull();
    await restoreStores(account.id);
  });

  it("A move is given up if the new shard stays away, and writes are accepted until it is back", async () => {
    const account = await openAccount("free", "00");
    const away = { LIBRARY_01: failingDatabases().LIBRARY_01 as D1Database };
    await replaceStores(account.id, away);
    expect((await requestMove(account.email, "01")).status).toBe(503);
    for (let alarm = 0; alarm < 5; alarm++) await replayIntents(account.id);
    expect((await upload(account.uploadKey, [PICTURE])).status).toBe(201);
    await restoreStores(account.id);
    await clear(account.id);
    expect([await shardOf(account.id), (await rowsOf(account.id))["01"]]).toEqual(["00", {}]);
  });

  it.each(Array.from({ length: 30 }, (_, calls) => [calls]))(
    "A move interrupted after %d database calls is finished by the alarm",
    async (calls) => {
      const account = await openAccount();
      const [from, to] = [await shardOf(account.id), await otherShard(account.id)];
      const rows = Array.from({ length: 5 }, (_, at) => newUpload(account.id, { tags: [`t${at}`], favorite: at > 2 }));
      await insertUploads(await libraryOf(account.id), rows);
      await callJson("POST", "/folders", account.token, { name: "One" });
      const before = await seenOf(account);
      await replaceStores(account.id, breakingOff(calls));
      // The answer does not matter, because the operator's program has ended.
      for (let call = 0; call < 4; call++) await requestMove(account.email, to);
      await restoreStores(account.id);
      expect((await seenOf(account)).lists).toEqual(before.lists);
      for (let alarm = 0; alarm < 5; alarm++) await replayIntents(account.id);
      expect((await readMeter(account.id)).intents).toEqual([]);
      // If every call failed before the announcement, the move did not begin.
      if ((await shardOf(account.id)) === from) await move(account.email, to);
      await replayIntents(account.id);
      expect(await seenOf(account)).toEqual(before);
      expect((await rowsOf(account.id))[from]).toEqual({});
      expect((await meterOf(account.id).locate()) === to).toBe(true);
    },
  );
});

/** Shards of which the rows of uploads are not read for copying until the gate opens. */
function heldBack(gate: Promise<void>): Partial<Env> {
  return replaceLibraries((real) =>
    whenRun(real, async (sql) => (/CAST\(number AS TEXT\)/.test(sql) ? gate : undefined)),
  );
}

/** Shards that run `calls` statements. Each later statement fails. */
function breakingOff(calls: number): Partial<Env> {
  let left = calls;
  return replaceLibraries((real) =>
    whenRun(real, async () => {
      left -= 1;
      if (left < 0) throw new Error("D1_ERROR: out of order");
    }),
  );
}

/** D1 with a callback before each statement or batch. */
function whenRun(real: D1Database, before: (sql: string) => Promise<void>): D1Database {
  const unwrapped = new WeakMap<object, D1PreparedStatement>();
  const wrap = (sql: string, statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get: (target, name) => {
        if (name === "bind") return (...values: unknown[]) => wrap(sql, target.bind(...values));
        const member = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return async (...args: unknown[]) => {
          await before(sql);
          return member.apply(target, args);
        };
      },
    });
    unwrapped.set(wrapped, statement);
    return wrapped;
  };
  const prepare = (sql: string) => wrap(sql, real.prepare(sql));
  const batch = async (statements: D1PreparedStatement[]) => {
    await before("");
    return real.batch(statements.map((statement) => unwrapped.get(statement) ?? statement));
  };
  return { prepare, batch } as unknown as D1Database;
}

async function stateOf({ id }: TestAccount): Promise<string | undefined> {
  const rows = await inLibraries<{ state: string }>("SELECT state FROM libraries WHERE id = ? AND state <> 'here'", id);
  return rows[0]?.state;
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 10));
}
