import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { deleteTreeStep } from "../../../src/db/library/folders.ts";
import { openLibraries } from "../../../src/db/library/library.ts";
import { LAST_STEP, setLibraryState } from "../../../src/db/library/library-state.ts";
import { insertUploads } from "../../../src/db/library/uploads.ts";
import {
  insertFolder,
  leaveIntent,
  meterOf,
  readMeter,
  replaceStores,
  replayIntents,
  restoreStores,
} from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, openProAccount } from "../../support/api/api.ts";
import { inLibraries, libraryOf, replaceLibraries } from "../../support/api/databases.ts";
import { newUpload } from "../../support/uploads/new-upload.ts";

// A folder is deleted in steps of 500 uploads, each a transaction of its own, as an intent. An account is deleted in the same way.

const UPLOADS = 1203;
const BY = { by: null, at: 0 };

async function openFolder() {
  const account = await openProAccount();
  const [folderId, below] = [await insertFolder(account.id), await insertFolder(account.id, "Below")];
  await inLibraries("UPDATE folders SET parent_id = ? WHERE id = ?", folderId, below);
  const library = await libraryOf(account.id);
  const rows = Array.from({ length: UPLOADS }, (_, n) =>
    newUpload(account.id, { folderId: n % 2 === 0 ? folderId : below, tags: [`t${n % 3}`] }),
  );
  for (let n = 0; n < rows.length; n += 100) await insertUploads(library, rows.slice(n, n + 100));
  return { ...account, folderId };
}

type Opened = Awaited<ReturnType<typeof openFolder>>;

async function totalIn(account: Opened, query: string): Promise<number> {
  const response = await call(`/images?limit=1&${query}`, { headers: bearer(account.apiKey) });
  if (response.status !== 200) return response.status;
  return (await response.json<{ pagination: { total: number } }>()).pagination.total;
}

async function expectMoved(account: Opened): Promise<void> {
  expect(await totalIn(account, "folderId=root")).toBe(UPLOADS);
  expect(await totalIn(account, "folderId=root&tags=t0")).toBe(Math.ceil(UPLOADS / 3));
  expect(await totalIn(account, `folderId=${account.folderId}`)).toBe(404);
  expect(await inLibraries("SELECT id FROM folders WHERE account_id = ?", account.id)).toEqual([]);
  expect((await readMeter(account.id)).intents).toEqual([]);
}

/** Shards that count batches, and fail after this number of them. */
function batchesOf(most: number) {
  const counted = { batches: 0 };
  const replaced = replaceLibraries(
    (database) =>
      new Proxy(database, {
        get: (target, name) => {
          const member = Reflect.get(target, name);
          if (name !== "batch") return typeof member === "function" ? member.bind(target) : member;
          return async (statements: D1PreparedStatement[]) => {
            if (counted.batches === most) throw new Error("D1_ERROR: out of order");
            counted.batches += 1;
            return target.batch(statements);
          };
        },
      }),
  );
  return { counted, replaced };
}

describe("Large folders", () => {
  it("A large folder is deleted step by step with its subfolders, and the answer has the counts", async () => {
    const account = await openFolder();
    const { counted, replaced } = batchesOf(Number.POSITIVE_INFINITY);
    await meterOf(account.id).read();
    await replaceStores(account.id, replaced);
    const answer = await call(`/folders/${account.folderId}`, { method: "DELETE", headers: bearer(account.apiKey) });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ deletedFolders: 2, movedUploads: UPLOADS });
    expect(counted.batches).toBe(Math.ceil(UPLOADS / 500));
    await expectMoved(account);
  });

  it("A large folder keeps its remaining uploads after an outage, until the alarm resumes", async () => {
    const account = await openFolder();
    await meterOf(account.id).read();
    await replaceStores(account.id, batchesOf(1).replaced);
    const answer = await call(`/folders/${account.folderId}`, { method: "DELETE", headers: bearer(account.apiKey) });
    expect(answer.status).toBe(503);
    expect(await totalIn(account, "folderId=root")).toBe(500);
    expect(await totalIn(account, "folderId=all")).toBe(UPLOADS);
    await restoreStores(account.id);
    await replayIntents(account.id);
    await expectMoved(account);
  });

  it("The alarm deletes a large folder if the request ended after it had recorded the intent", async () => {
    const account = await openFolder();
    await leaveIntent(account.id, { kind: "delete-folder", folderId: account.folderId });
    await replayIntents(account.id);
    await expectMoved(account);
  });

  it("A large folder is deleted by two requests at once while uploads arrive in it", async () => {
    const account = await openFolder();
    const remove = () => call(`/folders/${account.folderId}`, { method: "DELETE", headers: bearer(account.apiKey) });
    const late = newUpload(account.id, { folderId: account.folderId });
    const [one, other] = await Promise.all([
      remove(),
      remove(),
      insertUploads(await libraryOf(account.id), [late]).catch(() => undefined),
    ]);
    expect([one.status, other.status].sort()).toEqual([200, 404]);
    expect(await totalIn(account, `folderId=${account.folderId}`)).toBe(404);
    expect(await totalIn(account, "folderId=root")).toBe(await totalIn(account, "folderId=all"));
  });
});

describe("Large accounts", () => {
  it("A large account is erased step by step, and the alarm resumes after an outage", async () => {
    const account = await openFolder();
    await meterOf(account.id).read();
    await replaceStores(account.id, batchesOf(1).replaced);
    const remove = { password: account.password };
    expect((await callJson("DELETE", "/account", account.token, remove)).status).toBe(503);
    const count = async () => (await inLibraries("SELECT id FROM uploads WHERE account_id = ?", account.id)).length;
    expect(await count()).toBe(UPLOADS - 500);
    await restoreStores(account.id);
    await replayIntents(account.id);
    expect(await count()).toBe(0);
  });
});

it("A folder's late deletion in a shard that the library left does not count as done", async () => {
  const { id } = await openAccount("free", "00");
  const folderId = await insertFolder(id);
  const shard = openLibraries(env).open("00");
  await setLibraryState(shard, { accountId: id, movedAt: LAST_STEP }, "left");
  await expect(deleteTreeStep(shard, id, folderId, BY, 10)).rejects.toThrow("has left for another shard");
  await setLibraryState(shard, { accountId: id, movedAt: LAST_STEP }, "here");
  expect(await deleteTreeStep(shard, id, folderId, BY, 10)).toBe(true);
});
