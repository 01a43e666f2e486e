import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  expectNothingLeft,
  meterOf,
  readMeter,
  replaceStores,
  replayIntents,
  replayTwice,
  restoreStores,
} from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, openProAccount, upload, uploadOne } from "../../support/api/api.ts";
import { failingDatabases, failingStore } from "../../support/api/databases.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";

const noDatabase = () => failingDatabases();

async function accountRow(id: string) {
  return env.DB.prepare("SELECT * FROM accounts WHERE id = ?").bind(id).first<Record<string, unknown>>();
}

function logIn(email: string, password: string): Promise<Response> {
  return callJson("POST", "/auth/login", undefined, { email, password });
}

describe("Interrupted key revocation", () => {
  it("A revocation interrupted before its write to D1 is valid at once, and reaches it later", async () => {
    const account = await openProAccount();
    await replaceStores(account.id, noDatabase());
    const response = await call(`/keys/${account.apiKeyId}`, { method: "DELETE", headers: bearer(account.token) });
    expect(response.status).toBe(503);
    expect((await call("/images", { headers: bearer(account.apiKey) })).status).toBe(401);
    const revokedAt = () =>
      env.DB.prepare("SELECT revoked_at FROM keys WHERE id = ?").bind(account.apiKeyId).first<number>("revoked_at");
    expect(await revokedAt()).toBeNull();
    await restoreStores(account.id);
    expect((await call("/images", { headers: bearer(account.apiKey) })).status).toBe(401);
    expect((await replayTwice(account.id)).intents).toEqual([]);
    expect(await revokedAt()).toEqual(expect.any(Number));
    expect((await call("/images", { headers: bearer(account.apiKey) })).status).toBe(401);
  });
});

describe("Interrupted tier change", () => {
  it("A tier change interrupted before its write to D1 is finished later, with one new key", async () => {
    const account = await openAccount("pro");
    await env.DB.prepare("DELETE FROM keys WHERE account_id = ?").bind(account.id).run();
    await replaceStores(account.id, noDatabase());
    const response = await callJson("PUT", `/admin/accounts/${account.email}`, env.ADMIN_TOKEN, { tier: "starter" });
    expect(response.status).toBe(503);
    expect(await accountRow(account.id)).toMatchObject({ tier: "pro" });
    await restoreStores(account.id);
    expect((await replayTwice(account.id)).intents).toEqual([]);
    expect(await accountRow(account.id)).toMatchObject({ tier: "starter" });
    expect(await meterOf(account.id).read()).toMatchObject({ tier: "starter", operationsLimit: 100_000 });
    const { results } = await env.DB.prepare("SELECT kind FROM keys WHERE account_id = ? AND revoked_at IS NULL")
      .bind(account.id)
      .all();
    expect(results).toEqual([{ kind: "upload" }]);
  });
});

describe("Interrupted password change", () => {
  it("A password change interrupted before its write to D1 ends the other sessions, and is finished later", async () => {
    const account = await openAccount();
    const other = await (await logIn(account.email, account.password)).json<{ token: string }>();
    expect((await call("/account", { headers: bearer(other.token) })).status).toBe(200);
    await replaceStores(account.id, noDatabase());
    const change = { currentPassword: account.password, password: "a new and better password" };
    const response = await callJson("PATCH", "/account", account.token, change);
    expect(response.status).toBe(503);
    expect((await call("/account", { headers: bearer(other.token) })).status).toBe(401);
    expect((await call("/account", { headers: bearer(account.token) })).status).toBe(200);
    await restoreStores(account.id);
    expect((await replayTwice(account.id)).intents).toEqual([]);
    expect((await logIn(account.email, account.password)).status).toBe(401);
    expect((await logIn(account.email, change.password)).status).toBe(200);
  });
});

describe("Account erasure", () => {
  it.each([
    ["D1", noDatabase],
    ["R2", () => ({ FILES: failingStore<R2Bucket>() })],
  ])(
    "An erasure interrupted by an outage of %s locks the account at once, and is finished later",
    async (_, stores) => {
      const account = await openAccount();
      await uploadOne(account.uploadKey, { name: "a.png", bytes: png() });
      await uploadOne(account.uploadKey, { name: "a.mp4", bytes: mp4(6_000_000) });
      await replaceStores(account.id, stores());
      const { password } = account;
      expect((await callJson("DELETE", "/account", account.token, { password })).status).toBe(503);
      expect((await call("/account", { headers: bearer(account.token) })).status).toBe(401);
      expect((await upload(account.uploadKey, [{ name: "b.png", bytes: png() }])).status).toBe(401);
      await restoreStores(account.id);
      await replayIntents(account.id);
      await replayIntents(account.id);
      await expectNothingLeft(account.id);
      expect(await accountRow(account.id)).toBeNull();
      expect((await logIn(account.email, account.password)).status).toBe(401);
    },
  );

  it("An erasure also deletes late writes of an upload in progress", async () => {
    const account = await openAccount();
    const late = new InterruptedUpload(account.id, "image");
    await late.reserve();
    const { password } = account;
    expect((await callJson("DELETE", "/account", account.token, { password })).status).toBe(202);
    await late.put();
    expect((await late.settle()).missing).toEqual([late.uploadId]);
    for (let pass = 0; pass < 3; pass++) await replayIntents(account.id);
    await expectNothingLeft(account.id);
    // The object has forgotten the account, so its name has no meaning any more.
    expect(await meterOf(account.id).read()).toBeUndefined();
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 0, operations: [] });
  });

  it("An erasure affects no other account, and frees the email", async () => {
    const [account, other] = [await openAccount(), await openAccount()];
    const kept = await uploadOne(other.uploadKey, { name: "a.png", bytes: png() });
    const { email, password } = account;
    expect((await callJson("DELETE", "/account", account.token, { password })).status).toBe(200);
    expect((await call(new URL(kept.url).pathname)).status).toBe(200);
    expect((await callJson("POST", "/auth/register", undefined, { email, password })).status).toBe(201);
    await replayIntents(account.id);
    await replayIntents(account.id);
    expect((await logIn(email, password)).status).toBe(200);
  });

  it("An erasure refuses new uploads from its first moment", async () => {
    const account = await openAccount();
    await replaceStores(account.id, { FILES: failingStore<R2Bucket>() });
    await callJson("DELETE", "/account", account.token, { password: account.password });
    const late = new InterruptedUpload(account.id, "image");
    expect(await late.reserve()).toEqual({ outcome: "refused" });
    const erasing = await runInDurableObject(meterOf(account.id), (_meter, { storage }) =>
      storage.sql.exec("SELECT id FROM intents").toArray(),
    );
    expect(erasing).toEqual([{ id: "erase" }]);
    await restoreStores(account.id);
  });
});
