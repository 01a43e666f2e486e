import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { fileRulesKey, isIndexed, RULES_INDEX_KEY, type StoredFileRules } from "../../src/domain/file-rules.ts";
import type { TierName } from "../../src/domain/tiers.ts";
import { writeFileRules } from "../../src/meter/intents/write-file-rules.ts";
import { leaveIntent, meterOf, replaceStores, replayIntents, restoreStores } from "../support/api/account-state.ts";
import { bearer, call, callJson, openAccount } from "../support/api/api.ts";

async function rulesInR2(accountId: string): Promise<StoredFileRules | undefined> {
  const object = await env.FILES.get(fileRulesKey(accountId));
  return object === null ? undefined : await object.json<StoredFileRules>();
}

async function isInIndex(accountId: string): Promise<boolean> {
  const object = await env.FILES.get(RULES_INDEX_KEY);
  return object !== null && isIndexed(new Uint8Array(await object.arrayBuffer()), accountId);
}

function setTier(accountId: string, tier: TierName): Promise<void> {
  return meterOf(accountId).setTier({ tier, billingAnchorAt: tier === "free" ? null : Date.now(), uploadKey: null });
}

const hotlink = { allowedHosts: ["shop.example", "*.shop.example"], allowEmptyReferer: true };

describe("The rules for an account's files", () => {
  it("An owner sets, reads and removes the pages that may show the files", async () => {
    const { id, token } = await openAccount();
    expect(await isInIndex(id)).toBe(false);
    const set = await callJson("PATCH", "/settings", token, {
      hotlink: { ...hotlink, allowedHosts: ["Shop.Example", "*.shop.example", "shop.example"] },
    });
    expect(set.status).toBe(200);
    expect(await set.json()).toMatchObject({ autoCompress: false, hotlink });
    const read = await call("/settings", { headers: bearer(token) });
    expect(await read.json()).toMatchObject({ hotlink });
    expect(await rulesInR2(id)).toMatchObject({ hotlink: { ...hotlink, serviceHost: expect.any(String) } });
    expect(await isInIndex(id)).toBe(true);

    const removed = await callJson("PATCH", "/settings", token, { hotlink: null });
    expect(await removed.json()).toEqual({
      autoCompress: false,
      compressionQuality: 65,
      metadata: "keep",
      variants: "open",
    });
    expect(await rulesInR2(id)).not.toHaveProperty("hotlink");
  });

  it.each([
    { allowedHosts: ["https://shop.example"], allowEmptyReferer: true },
    { allowedHosts: ["shop.example/"], allowEmptyReferer: true },
    { allowedHosts: ["*"], allowEmptyReferer: true },
    { allowedHosts: Array.from({ length: 51 }, (_, i) => `${i}.example`), allowEmptyReferer: true },
    { allowedHosts: [] },
  ])("A bad rule is 400: %j", async (rule) => {
    const { token } = await openAccount();
    const response = await callJson("PATCH", "/settings", token, { hotlink: rule });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_request" });
  });

  it("An owner decides which variants strangers may ask for; another rule stays", async () => {
    const { id, token } = await openAccount();
    await callJson("PATCH", "/settings", token, { hotlink });
    for (const variants of ["presets", "signed", "off"]) {
      const set = await callJson("PATCH", "/settings", token, { variants });
      expect(await set.json()).toMatchObject({ variants, hotlink });
      expect(await rulesInR2(id)).toMatchObject({ variants, hotlink });
    }
    await callJson("PATCH", "/settings", token, { variants: "open" });
    expect(await (await call("/settings", { headers: bearer(token) })).json()).toMatchObject({ variants: "open" });
    expect(await rulesInR2(id)).not.toHaveProperty("variants");
    expect((await callJson("PATCH", "/settings", token, { variants: "closed" })).status).toBe(400);
  });

  it("A suspension keeps the owner's rule, and its end restores it", async () => {
    const { id, token } = await openAccount();
    await callJson("PATCH", "/settings", token, { hotlink });
    await meterOf(id).changeFileRules({ suspended: true });
    expect(await rulesInR2(id)).toMatchObject({ suspended: true, hotlink });
    await meterOf(id).changeFileRules({ suspended: null });
    const rules = await rulesInR2(id);
    expect(rules).toMatchObject({ hotlink });
    expect(rules).not.toHaveProperty("suspended");
  });

  it("Rules that R2 did not take are written by the alarm", async () => {
    const { id } = await openAccount();
    const put = () => Promise.reject(new Error("put: Unspecified error (10099)"));
    await replaceStores(id, { FILES: { ...env.FILES, get: async () => null, put } as unknown as R2Bucket });
    expect(await meterOf(id).changeFileRules({ suspended: true }).catch(String)).toContain("10099");
    await restoreStores(id);
    expect(await rulesInR2(id)).toBeUndefined();
    await replayIntents(id);
    expect(await rulesInR2(id)).toMatchObject({ suspended: true });
  });

  it("The rules name a paid tier, and keep it when the owner changes them", async () => {
    const { id, token } = await openAccount();
    await setTier(id, "pro");
    expect(await rulesInR2(id)).toMatchObject({ tier: "pro" });
    expect(await isInIndex(id)).toBe(true);
    await callJson("PATCH", "/settings", token, { hotlink });
    expect(await rulesInR2(id)).toMatchObject({ tier: "pro", hotlink });
    await setTier(id, "free");
    const rules = await rulesInR2(id);
    expect(rules).toMatchObject({ hotlink });
    expect(rules).not.toHaveProperty("tier");
  });

  it("A tier that R2 did not take is written by the alarm", async () => {
    const { id } = await openAccount();
    const put = () => Promise.reject(new Error("put: Unspecified error (10099)"));
    await replaceStores(id, { FILES: { ...env.FILES, get: async () => null, put } as unknown as R2Bucket });
    expect(await setTier(id, "business").catch(String)).toContain("10099");
    await restoreStores(id);
    await replayIntents(id);
    expect(await rulesInR2(id)).toMatchObject({ tier: "business" });
  });

  it("An account that stays Free has no rules in R2; rules that R2 did not take are written by the same change again", async () => {
    const { id } = await openAccount();
    await setTier(id, "free");
    expect([await rulesInR2(id), await isInIndex(id)]).toEqual([undefined, false]);
    const put = () => Promise.reject(new Error("put: Unspecified error (10099)"));
    await replaceStores(id, { FILES: { ...env.FILES, get: async () => null, put } as unknown as R2Bucket });
    expect(await setTier(id, "pro").catch(String)).toContain("10099");
    await restoreStores(id);
    await setTier(id, "pro");
    expect(await rulesInR2(id)).toMatchObject({ tier: "pro" });
  });

  it("A change of tier that an earlier version announced leaves the rules as they are", async () => {
    const { id } = await openAccount();
    await meterOf(id).changeFileRules({ suspended: true });
    const changedAt = Date.now() + 60_000;
    await leaveIntent(id, { kind: "set-tier", tier: "pro", billingAnchorAt: changedAt, uploadKey: null, changedAt });
    await replayIntents(id);
    expect(await rulesInR2(id)).toMatchObject({ suspended: true });
  });

  it("A late write of older rules changes nothing", async () => {
    const { id } = await openAccount();
    await writeFileRules({ accountId: id, files: env.FILES }, { suspended: true, changedAt: 2 });
    await leaveIntent(id, { kind: "set-file-rules", rules: {}, changedAt: 1 });
    await replayIntents(id);
    expect(await rulesInR2(id)).toEqual({ suspended: true, changedAt: 2 });
  });

  it("Many accounts may set rules at the same time", async () => {
    const ids = Array.from({ length: 8 }, (_, i) => `01hzy3v7k9q4r5s6t7v8w9x0y${i}`);
    await Promise.all(ids.map((accountId) => writeFileRules({ accountId, files: env.FILES }, { changedAt: 1 })));
    expect(await Promise.all(ids.map(isInIndex))).toEqual(ids.map(() => true));
  });

  it("An erased account leaves no rules", async () => {
    const { id, token, password } = await openAccount();
    await callJson("PATCH", "/settings", token, { hotlink });
    await callJson("DELETE", "/account", token, { password });
    await replayIntents(id);
    expect(await rulesInR2(id)).toBeUndefined();
  });
});
