import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { deleteUploads, insertUploads } from "../../../src/db/library/uploads.ts";
import { meterOf, readMeter, replaceStores, replayIntents, restoreStores } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, type TestAccount, upload, uploadOne } from "../../support/api/api.ts";
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

describe("a library that moves to another shard", () => {
  it("is what it was: items, folders, tags, search, counts and figures; and nothing of it is left behind", async () => {
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

  it("goes on there: uploads, changes, deletions; and back again", async () => {
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

  it("keeps its uploads known to others as another account's, wherever it goes, until they are deleted", async () => {
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

  it("is read as before while it is copied, and what is changed meanwhile is changed where it is then", async () => {
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

  it("is deleted from while it is copied", async () => {
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

  it("does not know any more what is deleted from it before its old rows go", async () => {
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

  it("is deleted from where it is by a deletion that comes late to the shard that it has left", async () => {
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

  it("waits for an upload under way, and takes none that begins meanwhile", async () => {
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

  it("gives its uploads other numbers where another account has theirs, in the same order", async () => {
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

  it("stays where it is when its copy has other figures", async () => {
    const account = await openAccount("free", "00");
    await uploadOne(account.uploadKey, PICTURE);
    // A count that no upload stands for.
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

  it("leaves nothing in either shard when its account is erased in the middle of it", async () => {
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

  it("is refused for an account or a shard that there is not, and changes nothing where it is already", async () => {
    const account = await openAccount();
    expect((await requestMove("nobody@example.com", "00")).status).toBe(404);
    for (const shard of ["99", "x1"]) expect((await requestMove(account.email, shard)).status).toBe(404);
    expect((await requestMove(account.email, "000")).status).toBe(400);
    expect(await move(account.email, await shardOf(account.id))).toEqual({ outcome: "moved" });
  });
});

describe("a move that breaks off", () => {
  it("has its alarm set before anything is done, so that it goes on where its object is killed", async () => {
    const account = await openAccount();
    // Opening it has left one.
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => storage.deleteAlarm());
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

  it("is given up where the new shard stays away, and keeps nobody from writing until it is back", async () => {
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
    "after %d calls to the databases is finished by the alarm",
    async (calls) => {
      const account = await openAccount();
      const [from, to] = [await shardOf(account.id), await otherShard(account.id)];
      const rows = Array.from({ length: 5 }, (_, at) => newUpload(account.id, { tags: [`t${at}`], favorite: at > 2 }));
      await insertUploads(await libraryOf(account.id), rows);
      await callJson("POST", "/folders", account.token, { name: "One" });
      const before = await seenOf(account);
      await replaceStores(account.id, breakingOff(calls));
      // Whatever it is answered: the operator's program is gone.
      for (let call = 0; call < 4; call++) await requestMove(account.email, to);
      await restoreStores(account.id);
      expect((await seenOf(account)).lists).toEqual(before.lists);
      for (let alarm = 0; alarm < 5; alarm++) await replayIntents(account.id);
      expect((await readMeter(account.id)).intents).toEqual([]);
      // Where everything had failed before it was announced, nothing was begun.
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

/** Shards that answer so many statements, and then no more. */
function breakingOff(calls: number): Partial<Env> {
  let left = calls;
  return replaceLibraries((real) =>
    whenRun(real, async () => {
      left -= 1;
      if (left < 0) throw new Error("D1_ERROR: out of order");
    }),
  );
}

/** D1 that something happens to before each statement or batch. */
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
