import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  expectConsistent,
  meterOf,
  readMeter,
  replaceStores,
  replayIntents,
  restoreStores,
} from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, uploadOne } from "../../support/api/api.ts";
import { failingDatabases } from "../../support/api/databases.ts";
import { gatedDatabase } from "../../support/api/gated-database.ts";
import { png } from "../../support/media/samples.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function logIn(email: string, password: string): Promise<Response> {
  return callJson("POST", "/auth/login", undefined, { email, password });
}

async function directoryTier(accountId: string): Promise<string | null> {
  return env.DB.prepare("SELECT tier FROM accounts WHERE id = ?").bind(accountId).first<string>("tier");
}

function change(accountId: string, tier: "pro" | "business"): Promise<void> {
  return meterOf(accountId).setTier({ tier, billingAnchorAt: 1, uploadKey: null });
}

describe("Stale replays", () => {
  it("A replay of an older password change leaves a newer password unchanged", async () => {
    const account = await openAccount();
    const [older, newer] = ["the older new password", "the newer new password"];
    const setPassword = (password: string) =>
      callJson("PATCH", "/account", account.token, { currentPassword: account.password, password });
    const upload = new InterruptedUpload(account.id, "image");
    await upload.reserve();
    await upload.put();
    await replaceStores(account.id, failingDatabases());
    expect((await setPassword(older)).status).toBe(503);
    await restoreStores(account.id);
    // The newer one is set after the alarm listed the due intents and before it replays the older one.
    const statuses: number[] = [];
    const files = Object.assign(Object.create(env.FILES), {
      list: (options?: R2ListOptions) => env.FILES.list(options),
      delete: async (keys: string | string[]) => {
        if (statuses.length === 0) statuses.push((await setPassword(newer)).status);
        await env.FILES.delete(keys);
      },
    });
    await replaceStores(account.id, { FILES: files });
    await runInDurableObject(meterOf(account.id), async (_meter, { storage }) => {
      storage.sql.exec("UPDATE intents SET due_at = CASE kind WHEN 'upload' THEN 1 ELSE 2 END");
      await storage.setAlarm(Date.now() + 3_600_000);
    });
    await runDurableObjectAlarm(meterOf(account.id));
    await restoreStores(account.id);
    expect(statuses).toEqual([200]);
    expect((await logIn(account.email, older)).status).toBe(401);
    expect((await logIn(account.email, newer)).status).toBe(200);
    expect((await readMeter(account.id)).intents).toEqual([]);
  });
});

/** Waits until the account's object has begun a change of tier: the object applies it before the directory in D1 does. */
async function announced(accountId: string, tier: string): Promise<void> {
  await expect.poll(async () => (await meterOf(accountId).read())?.tier).toBe(tier);
}

describe("Simultaneous tier changes", () => {
  it("Two tier changes reach the directory in order, even if the first is slow", async () => {
    const account = await openAccount("starter");
    const DB = gatedDatabase(async (values) => {
      if (values.includes("pro")) await sleep(200);
    });
    await replaceStores(account.id, { DB });
    const first = change(account.id, "pro");
    await announced(account.id, "pro");
    await Promise.all([first, change(account.id, "business")]);
    await restoreStores(account.id);
    expect((await meterOf(account.id).read())?.tier).toBe("business");
    expect(await directoryTier(account.id)).toBe("business");
    expect((await readMeter(account.id)).intents).toEqual([]);
  });

  it("A failed second tier change is left to the alarm, independent of the first", async () => {
    const account = await openAccount("starter");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const DB = gatedDatabase(async (values) => {
      if (values.includes("pro")) await released;
      if (values.includes("business")) throw new Error("D1_ERROR: network connection lost");
    });
    await replaceStores(account.id, { DB });
    const first = change(account.id, "pro");
    await announced(account.id, "pro");
    const second = change(account.id, "business").then(
      () => "stands",
      () => "failed",
    );
    await announced(account.id, "business");
    release();
    await first;
    expect(await second).toBe("failed");
    await restoreStores(account.id);
    await replayIntents(account.id);
    expect((await meterOf(account.id).read())?.tier).toBe("business");
    expect(await directoryTier(account.id)).toBe("business");
    expect((await readMeter(account.id)).intents).toEqual([]);
  });

  it("Each tier change's answer has the tier that the account is in then", async () => {
    const account = await openAccount("starter");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const DB = gatedDatabase(async (values) => {
      if (values.includes("pro")) await released;
    });
    await replaceStores(account.id, { DB });
    const put = async (tier: string) => {
      const body = { tier, accountId: account.id };
      const response = await callJson("PUT", `/admin/accounts/${account.email}`, env.ADMIN_TOKEN, body);
      return [response.status, (await response.json<{ tier: string }>()).tier];
    };
    const first = put("pro");
    await announced(account.id, "pro");
    // The second waits its turn, and the third replaces it there.
    const second = put("free");
    await announced(account.id, "free");
    const third = put("business");
    await announced(account.id, "business");
    release();
    expect([(await second)[0], await third]).toEqual([200, [200, "business"]]);
    expect((await second)[1]).toBe("business");
    expect((await first)[0]).toBe(200);
    await restoreStores(account.id);
    expect(await directoryTier(account.id)).toBe("business");
  });
});

describe("Simultaneous deletes", () => {
  it("Two deletes of the same upload count once; the second is 404", async () => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 700) });
    const remove = async () =>
      (await call(`/images/${_id}`, { method: "DELETE", headers: bearer(account.token) })).status;
    expect((await Promise.all([remove(), remove()])).sort()).toEqual([200, 404]);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 0, usedTenths: 20 });
    await expectConsistent(account.id);
  });
});
