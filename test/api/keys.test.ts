import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { TIERS, type TierName } from "../../src/domain/tiers.ts";
import {
  bearer,
  call,
  callJson,
  createApiKey,
  openAccount,
  openProAccount,
  setTier,
  upload,
} from "../support/api/api.ts";
import { png } from "../support/media/samples.ts";

interface KeyBody {
  readonly _id: string;
  readonly kind: string;
  readonly name: string;
  readonly lastFour: string;
  readonly scopes: string[];
  readonly lastUsedAt: string | null;
}

async function listKeys(token: string): Promise<KeyBody[]> {
  const response = await call("/keys", { headers: bearer(token) });
  expect(response.status).toBe(200);
  return (await response.json<{ keys: KeyBody[] }>()).keys;
}

const picture = [{ name: "a.png", bytes: png() }];

describe("API keys", () => {
  it("An API key is shown only once, with its scopes", async () => {
    const { token } = await openAccount("pro");
    const response = await callJson("POST", "/keys", token, { name: " CI ", scopes: ["folders:read", "folders:read"] });
    expect(response.status).toBe(201);
    const created = await response.json<KeyBody & { key: string }>();
    expect(created).toEqual({
      _id: expect.any(String),
      kind: "api",
      name: "CI",
      key: expect.stringMatching(/^service_live_[0-9A-Za-z]{43}$/),
      lastFour: created.key.slice(-4),
      scopes: ["folders:read"],
      expiresAt: null,
      folderId: null,
      createdAt: expect.any(String),
      lastUsedAt: null,
    });
    const { key, ...shown } = created;
    const listed = await listKeys(token);
    expect(listed).toContainEqual(shown);
    expect(JSON.stringify(listed)).not.toContain(key);
  });

  it("An API key has the time of its last use", async () => {
    const { token, apiKey, apiKeyId } = await openProAccount();
    const before = Date.now();
    await call("/images", { headers: bearer(apiKey) });
    const key = (await listKeys(token)).find(({ _id }) => _id === apiKeyId);
    expect(Date.parse(key?.lastUsedAt ?? "")).toBeGreaterThanOrEqual(before);
  });

  it("A revoked API key is refused at once, and a second revocation is 404", async () => {
    const { token, apiKey, apiKeyId } = await openProAccount();
    expect((await call("/images", { headers: bearer(apiKey) })).status).toBe(200);
    expect((await call(`/keys/${apiKeyId}`, { method: "DELETE", headers: bearer(token) })).status).toBe(200);
    expect((await call("/images", { headers: bearer(apiKey) })).status).toBe(401);
    expect((await listKeys(token)).map(({ _id }) => _id)).not.toContain(apiKeyId);
    const again = await call(`/keys/${apiKeyId}`, { method: "DELETE", headers: bearer(token) });
    expect(again.status).toBe(404);
    expect(await again.json()).toEqual({ error: "Key not found", code: "key_not_found", statusCode: 404 });
  });

  it("An API key of another account cannot be revoked", async () => {
    const { apiKey, apiKeyId } = await openProAccount();
    const stranger = await openAccount("pro");
    const response = await call(`/keys/${apiKeyId}`, { method: "DELETE", headers: bearer(stranger.token) });
    expect(response.status).toBe(404);
    expect((await call("/images", { headers: bearer(apiKey) })).status).toBe(200);
  });

  it("API keys are for Pro and Business", async () => {
    const { token } = await openAccount();
    const response = await callJson("POST", "/keys", token, { name: "x" });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      error: "API access requires Pro or Business tier",
      code: "api_tier_required",
    });
  });

  it.each([
    ["name", {}],
    ["name", { name: "  " }],
    ["scopes.0", { name: "x", scopes: ["everything"] }],
  ])("`POST /keys` names the wrong field %s in %j", async (field, body) => {
    const { token } = await openAccount("pro");
    const response = await callJson("POST", "/keys", token, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ details: { [field]: expect.any(String) } });
  });
});

describe("Upload keys", () => {
  it("An upload key uploads, and a regenerated one replaces it at once", async () => {
    const { token, uploadKey } = await openAccount();
    expect((await upload(uploadKey, picture)).status).toBe(201);
    const response = await callJson("POST", "/keys/upload/regenerate", token, {});
    expect(response.status).toBe(201);
    const { key } = await response.json<{ key: string }>();
    expect((await upload(uploadKey, picture)).status).toBe(401);
    expect((await upload(key, picture)).status).toBe(201);
    expect(await listKeys(token)).toHaveLength(1);
  });

  it("An upload key cannot be regenerated on a tier that has none", async () => {
    const { token } = await openAccount("pro");
    expect((await callJson("POST", "/keys/upload/regenerate", token, {})).status).toBe(400);
  });
});

describe("Tier changes", () => {
  it.each(Object.keys(TIERS) as TierName[])("A tier change to %s brings its limits at once", async (tier) => {
    const { token, email } = await openAccount();
    await setTier(email, tier);
    const { headers } = await call("/account", { headers: bearer(token) });
    const { storageBytes, operationsPerMonth, requestsPerMinute } = TIERS[tier];
    expect(headers.get("X-Storage-Limit")).toBe(String(storageBytes));
    expect(headers.get("X-Operations-Limit")).toBe(String(operationsPerMonth));
    expect(headers.get("X-RateLimit-Limit")).toBe(String(requestsPerMinute));
  });

  it("A tier change stops the keys of the other kind, and they work again if the tier comes back", async () => {
    const { email, uploadKey, token } = await openAccount();
    await setTier(email, "pro");
    expect((await upload(uploadKey, picture)).status).toBe(401);
    const { key } = await createApiKey(token);
    expect((await upload(key, picture)).status).toBe(201);
    expect(await setTier(email, "starter")).not.toHaveProperty("uploadKey");
    expect((await upload(key, picture)).status).toBe(401);
    expect((await upload(uploadKey, picture)).status).toBe(201);
    await setTier(email, "business");
    expect((await upload(key, picture)).status).toBe(201);
  });

  it("A tier change to Free or Starter creates an upload key if none is valid", async () => {
    const { email, id } = await openAccount("pro");
    await env.DB.prepare("UPDATE keys SET revoked_at = 1 WHERE account_id = ? AND kind = 'upload'").bind(id).run();
    const { uploadKey } = await setTier(email, "free");
    expect((await upload(uploadKey ?? "", picture)).status).toBe(201);
  });

  it("A tier change of an unknown account is a 404, to an unknown tier a 400", async () => {
    const unknown = await callJson("PUT", "/admin/accounts/nobody@example.com", env.ADMIN_TOKEN, { tier: "pro" });
    expect(unknown.status).toBe(404);
    const { email } = await openAccount();
    const gold = await callJson("PUT", `/admin/accounts/${email}`, env.ADMIN_TOKEN, { tier: "gold" });
    expect(gold.status).toBe(400);
    expect(await gold.json()).toMatchObject({ details: { tier: expect.any(String) } });
  });

  it("A tier change keeps the billing day between paid tiers, and sets a new one after Free", async () => {
    const { email, id } = await openAccount();
    const anchor = async () =>
      (
        await env.DB.prepare("SELECT billing_anchor_at AS at FROM accounts WHERE id = ?")
          .bind(id)
          .first<{ at: number }>()
      )?.at;
    expect(await anchor()).toBeNull();
    await setTier(email, "pro");
    const first = await anchor();
    expect(first).toBeGreaterThan(0);
    await setTier(email, "business");
    expect(await anchor()).toBe(first);
    await setTier(email, "free");
    expect(await anchor()).toBeNull();
  });
});

describe("Settings", () => {
  it("Settings begin with compression off and quality 65", async () => {
    const { apiKey } = await openProAccount();
    const response = await call("/settings", { headers: bearer(apiKey) });
    expect(await response.json()).toEqual({
      autoCompress: false,
      compressionQuality: 65,
      metadata: "keep",
      variants: "open",
    });
  });

  it("Settings change one by one, by key or session, and are kept", async () => {
    const { apiKey, token } = await openProAccount();
    await callJson("PATCH", "/settings", apiKey, { autoCompress: true });
    const response = await callJson("PATCH", "/settings", token, { compressionQuality: 100 });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ autoCompress: true, compressionQuality: 100 });
    const stored = await call("/settings", { headers: bearer(apiKey) });
    expect(await stored.json()).toMatchObject({ autoCompress: true, compressionQuality: 100 });
  });

  it.each([
    ["compressionQuality", 49],
    ["compressionQuality", 101],
    ["compressionQuality", 65.5],
    ["compressionQuality", "80"],
    ["autoCompress", "yes"],
    ["autoCompress", null],
  ])("Settings refuse %s %j", async (field, value) => {
    const { apiKey } = await openProAccount();
    const response = await callJson("PATCH", "/settings", apiKey, { [field]: value });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ details: { [field]: expect.any(String) } });
  });
});
