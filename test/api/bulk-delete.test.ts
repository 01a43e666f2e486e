import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { TIERS } from "../../src/domain/tiers.ts";
import {
  expectConsistent,
  expectNothingLeft,
  readMeter,
  replaceStores,
  replayTwice,
  restoreStores,
  setUsedTenths,
  usageOf,
} from "../support/api/account-state.ts";
import { call, callJson, openAccount, openProAccount, type TestAccount } from "../support/api/api.ts";
import { failingStore, libraries, replaceDatabases } from "../support/api/databases.ts";
import { expectInvalid, listIds, moveToTrash, restore, uploadMany } from "../support/library/api.ts";
import { png } from "../support/media/samples.ts";

const UNKNOWN = "01hzy3v7k9q4r5s6t7v8w9x0ya";
const SHARDS = libraries.shards.slice(0, 2);

interface Deleted {
  readonly deleted: number;
  readonly failed: readonly { readonly _id: string; readonly error: string; readonly statusCode: number }[];
}

function request(token: string, ids: unknown, condition: object = {}): Promise<Response> {
  return callJson("POST", "/images/bulk-delete", token, { ids, ...condition });
}

async function remove(token: string, ids: readonly string[], condition?: object): Promise<Deleted> {
  const response = await request(token, ids, condition);
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
}

async function uploads(account: TestAccount, count: number) {
  return uploadMany(
    account.token,
    Array.from({ length: count }, (_, at) => ({ name: `${at}.png`, bytes: png() })),
  );
}

const idsOf = (stored: readonly { readonly _id: string }[]) => stored.map(({ _id }) => _id);

describe.each(SHARDS)("POST /images/bulk-delete of an account in shard %s", (shard) => {
  it("`POST /images/bulk-delete` deletes active and trashed uploads permanently, an operation each", async () => {
    const account = await openAccount("starter", shard);
    const stored = await uploads(account, 100);
    await moveToTrash(account.token, idsOf(stored.slice(0, 50)));
    const response = await request(account.token, idsOf(stored));
    expect(await response.json()).toEqual({ deleted: 100, failed: [] });
    expect(usageOf(response)).toEqual({ storage: 0, operations: 200 });
    expect(await listIds(account.token, { status: "all" })).toEqual([]);
    for (const { url } of stored.slice(48, 52)) expect((await call(new URL(url).pathname)).status).toBe(404);
    const { operations, intents } = await readMeter(account.id);
    expect([operations.filter(({ type }) => type === "delete").length, intents]).toEqual([100, []]);
    await expectNothingLeft(account.id);
    await expectConsistent(account.id);
  }, 60_000);

  it("`POST /images/bulk-delete` reports every other id with the error of a single deletion", async () => {
    const account = await openAccount("starter", shard);
    const stranger = await openAccount("starter", SHARDS.at(-1));
    const [foreign] = await uploads(stranger, 1);
    const [gone, ...kept] = await uploads(account, 3);
    await remove(account.token, [gone?._id ?? ""]);
    const [first = ""] = idsOf(kept);
    const ids = [UNKNOWN, "no id", foreign?._id ?? "", gone?._id ?? "", first, first];
    expect(await remove(account.token, ids)).toEqual({
      deleted: 1,
      failed: [
        { _id: UNKNOWN, error: "Image not found", code: "image_not_found", statusCode: 404 },
        { _id: "no id", error: "Image not found", code: "image_not_found", statusCode: 404 },
        {
          _id: foreign?._id,
          error: "You don't have permission to delete this image",
          code: "image_not_yours",
          statusCode: 403,
        },
        { _id: gone?._id, error: "Image not found", code: "image_not_found", statusCode: 404 },
      ],
    });
    expect(await listIds(stranger.token)).toEqual([foreign?._id]);
    await expectConsistent(account.id);
  });

  it("`POST /images/bulk-delete` with `onlyFrom` keeps each upload that is not in the trash, and nothing of it changes", async () => {
    const account = await openAccount("starter", shard);
    const stored = await uploads(account, 4);
    const [first = "", restored = "", active = "", last = ""] = idsOf(stored);
    await moveToTrash(account.token, [first, restored, last]);
    await restore(account.token, [restored]);
    const response = await request(account.token, idsOf(stored), { onlyFrom: "trash" });
    const kept = (id: string) => ({
      _id: id,
      error: "The file is not in the trash",
      code: "image_not_in_trash",
      statusCode: 409,
    });
    expect(await response.json()).toEqual({ deleted: 2, failed: [kept(restored), kept(active)] });
    expect(usageOf(response)).toEqual({ storage: 2 * png().length, operations: 6 });
    expect((await listIds(account.token, { status: "all" })).sort()).toEqual([restored, active].sort());
    for (const { _id, url } of stored)
      expect((await call(new URL(url).pathname)).status).toBe([restored, active].includes(_id) ? 200 : 404);
    expect((await readMeter(account.id)).intents).toEqual([]);
    await expectConsistent(account.id);
    expect(await remove(account.token, [active])).toEqual({ deleted: 1, failed: [] });
  });

  it("`POST /images/bulk-delete` deletes only as many uploads as the month has operations left", async () => {
    const account = await openAccount("free", shard);
    const ids = idsOf(await uploads(account, 5));
    await setUsedTenths(account.id, TIERS.free.operationsPerMonth * 10 - 20);
    const { deleted, failed } = await remove(account.token, ids);
    expect(deleted).toBe(2);
    expect(failed.map(({ statusCode, error }) => [statusCode, error])).toEqual(
      Array(3).fill([429, "Monthly operations limit reached"]),
    );
    expect((await listIds(account.token)).sort()).toEqual(failed.map(({ _id }) => _id).sort());
    expect((await readMeter(account.id)).usedTenths).toBe(TIERS.free.operationsPerMonth * 10);
    await expectConsistent(account.id);
  });

  it("`POST /images/bulk-delete` deletes and counts each upload once in simultaneous calls", async () => {
    const account = await openAccount("starter", shard);
    const ids = idsOf(await uploads(account, 12));
    const answers = await Promise.all([ids, ids, [...ids].reverse()].map((some) => remove(account.token, some)));
    expect(answers.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(12);
    for (const { deleted, failed } of answers) {
      expect(deleted + failed.length).toBe(12);
      for (const { statusCode } of failed) expect(statusCode).toBe(404);
    }
    expect((await readMeter(account.id)).usedTenths).toBe(240);
    await expectConsistent(account.id);
  });

  it("`POST /images/bulk-delete` is finished by the alarm if a store fails", async () => {
    const account = await openAccount("starter", shard);
    const ids = idsOf(await uploads(account, 8));
    await replaceStores(account.id, { FILES: failingStore<R2Bucket>() });
    const { deleted, failed } = await remove(account.token, ids);
    expect([deleted, failed.map(({ statusCode }) => statusCode)]).toEqual([0, Array(8).fill(503)]);
    expect((await readMeter(account.id)).intents).toHaveLength(8);
    await restoreStores(account.id);
    await replayTwice(account.id);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 0, usedTenths: 160, intents: [] });
    await expectNothingLeft(account.id);
    await expectConsistent(account.id);
  });
});

it("`POST /images/bulk-delete` is for sessions only", async () => {
  const { apiKey } = await openProAccount();
  const response = await request(apiKey, [UNKNOWN]);
  expect([response.status, await response.json()]).toEqual([
    403,
    { error: "This endpoint requires a login session", code: "session_required", statusCode: 403 },
  ]);
});

it("`POST /images/bulk-delete` refuses invalid bodies", async () => {
  const { token } = await openAccount();
  for (const ids of [[], Array.from({ length: 101 }, () => UNKNOWN), "x", [1], undefined, ["x".repeat(65)]]) {
    await expectInvalid(await request(token, ids), "ids");
  }
});

it.each(["active", "", null, ["trash"]])(
  "`onlyFrom: %j` of a bulk deletion is 400, and deletes nothing",
  async (onlyFrom) => {
    const account = await openAccount();
    const ids = idsOf(await uploads(account, 1));
    await expectInvalid(await request(account.token, ids, { onlyFrom }), "onlyFrom");
    expect(await listIds(account.token)).toEqual(ids);
  },
);

it("`POST /images/bulk-delete` reports 503 for each upload if the library does not answer", async () => {
  const account = await openAccount();
  const ids = idsOf(await uploads(account, 2));
  await replaceStores(
    account.id,
    replaceDatabases(() => failingStore<D1Database>(), env),
  );
  const { deleted, failed } = await remove(account.token, ids);
  expect([deleted, failed.map(({ statusCode }) => statusCode)]).toEqual([0, [503, 503]]);
  await restoreStores(account.id);
  expect((await remove(account.token, ids)).deleted).toBe(2);
  await expectConsistent(account.id);
});
