import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newViewId, packViews } from "../../../src/domain/view-pack.ts";
import { meterOf, replaceStores, replayIntents, restoreStores, storedKeys } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { failingStore, inLibraries } from "../../support/api/databases.ts";
import { png } from "../../support/media/samples.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";

interface Erased {
  readonly status: string;
  readonly erasedAt: string | null;
  readonly receipt: string;
}

async function erase({ token, password }: TestAccount): Promise<[number, Erased]> {
  const response = await callJson("DELETE", "/account", token, { password });
  return [response.status, await response.json<Erased>()];
}

async function receiptOf(receipt: string): Promise<[number, Partial<Erased>]> {
  const response = await call(`/erasures/${receipt}`);
  return [response.status, await response.json<Erased>()];
}

describe("Account erasure", () => {
  it("A small account's erasure is done when it is answered, and its receipt is valid for 35 days", async () => {
    const account = await openAccount();
    await uploadOne(account.uploadKey, { name: "a.png", bytes: png() });
    const [status, erased] = await erase(account);
    expect([status, erased.status]).toEqual([200, "erased"]);
    expect(await storedKeys(account.id)).toEqual([]);
    for (let pass = 0; pass < 2; pass++) {
      expect(await receiptOf(erased.receipt)).toEqual([200, { status: "erased", erasedAt: erased.erasedAt }]);
      await replayIntents(account.id);
    }
    const operator = await call(`/admin/erasures/${account.id}`, { headers: bearer(env.ADMIN_TOKEN) });
    expect(await operator.json()).toEqual({ status: "erased", erasedAt: erased.erasedAt });
  });

  it("An erased account's object has a tombstone, and after 35 days nothing", async () => {
    const account = await openAccount();
    const [, { receipt }] = await erase(account);
    await replayIntents(account.id);
    const tables = () =>
      runInDurableObject(meterOf(account.id), (_meter, { storage }) =>
        storage.sql
          .exec<{ name: string }>(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '!_%' ESCAPE '!' AND name NOT LIKE 'sqlite%'",
          )
          .toArray()
          .filter(({ name }) => storage.sql.exec(`SELECT 1 FROM "${name}" LIMIT 1`).toArray().length > 0)
          .map(({ name }) => name),
      );
    expect(await tables()).toEqual(["tombstone"]);
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
      storage.sql.exec("UPDATE tombstone SET erased_at = erased_at - 36 * 86400000");
    });
    await runDurableObjectAlarm(meterOf(account.id));
    expect(await tables()).toEqual([]);
    expect((await receiptOf(receipt))[0]).toBe(404);
  });

  it("An erasure's receipt is secret: another account's or an invented one is 404", async () => {
    const [account, other] = [await openAccount(), await openAccount()];
    const [, { receipt }] = await erase(account);
    const [, mac = ""] = receipt.split(".");
    for (const wrong of [
      account.id,
      `${account.id}.`,
      `${other.id}.${mac}`,
      `${receipt}x`,
      "x",
      `${account.id}.${"A".repeat(43)}`,
    ]) {
      expect([wrong, (await receiptOf(wrong))[0]]).toEqual([wrong, 404]);
    }
  });

  it("An erasure continues in the background while a store is away, and is reported when done", async () => {
    const account = await openAccount();
    await uploadOne(account.uploadKey, { name: "a.png", bytes: png() });
    await replaceStores(account.id, { FILES: failingStore<R2Bucket>() });
    expect((await callJson("DELETE", "/account", account.token, { password: account.password })).status).toBe(503);
    const operator = async () =>
      (await call(`/admin/erasures/${account.id}`, { headers: bearer(env.ADMIN_TOKEN) })).json();
    expect(await operator()).toEqual({ status: "erasing", erasedAt: null });
    await restoreStores(account.id);
    await replayIntents(account.id);
    expect(await operator()).toMatchObject({ status: "erased" });
    expect(await storedKeys(account.id)).toEqual([]);
  });

  it("An erasure ends after the uploads in progress have ended", async () => {
    const account = await openAccount();
    const late = new InterruptedUpload(account.id, "video", 6_000_000);
    await late.reserve();
    await late.beginMultipart();
    await late.announceMultipart();
    const [status, { receipt }] = await erase(account);
    expect(status).toBe(202);
    expect((await receiptOf(receipt))[1]).toEqual({ status: "erasing", erasedAt: null });
    for (let pass = 0; pass < 3; pass++) await replayIntents(account.id);
    expect(await late.hasOpenMultipart()).toBe(false);
    expect((await receiptOf(receipt))[1]).toMatchObject({ status: "erased" });
  });

  it("An erased account accepts no late view, thumbnail or key", async () => {
    const account = await openAccount();
    const { _id, url } = await uploadOne(account.uploadKey, { name: "a.png", bytes: png() });
    const [, { receipt }] = await erase(account);
    await replayIntents(account.id);
    const view = { id: newViewId(), at: Date.now(), resourceId: _id };
    await meterOf(account.id).recordViews([view], [{ journal: "j", sequence: 1, bytes: packViews([view]) }]);
    expect(await meterOf(account.id).reserveThumbnail(_id, 300)).toBe("gone");
    expect(await meterOf(account.id).settleThumbnail(_id)).toBe("gone");
    expect(await meterOf(account.id).read()).toBeUndefined();
    expect((await call(new URL(url).pathname)).status).toBe(404);
    expect((await call("/account", { headers: bearer(account.token) })).status).toBe(401);
    expect((await call("/images/upload", { method: "POST", headers: bearer(account.uploadKey) })).status).toBe(401);
    expect((await receiptOf(receipt))[1]).toMatchObject({ status: "erased" });
    expect(await inLibraries("SELECT 1 FROM libraries WHERE id = ?", account.id)).toEqual([]);
    expect(await env.FILES.head(`accounts/${account.id}`)).toBeNull();
  });
});
