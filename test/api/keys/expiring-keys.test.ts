import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { meterOf } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount } from "../../support/api/api.ts";

// AUTH-12: a key that ends at a time.

async function makeKey(
  token: string,
  expiresAt: string | null,
): Promise<{ key: string; _id: string; expiresAt: string }> {
  const response = await callJson("POST", "/keys", token, { name: "short", expiresAt });
  expect(response.status).toBe(201);
  return response.json();
}

it("A key works until its time, and is then refused with its own code", async () => {
  const { token } = await openAccount("pro");
  const { key, expiresAt } = await makeKey(token, new Date(Date.now() + 1500).toISOString());
  expect((await call("/images", { headers: bearer(key) })).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, Date.parse(expiresAt) - Date.now() + 5));
  const response = await call("/images", { headers: bearer(key) });
  expect(response.status).toBe(401);
  expect(response.headers.get("WWW-Authenticate")).toBe('Bearer error="invalid_token"');
  expect(await response.json()).toEqual({ error: "The API key has expired", statusCode: 401, code: "key_expired" });
});

it("The account's object decides when a key expires, even if an isolate remembers the key", async () => {
  const { id, token } = await openAccount("pro");
  const { _id } = await makeKey(token, null);
  const credential = { kind: "key", keyId: _id, keyKind: "api" } as const;
  const meter = meterOf(id);
  expect(await meter.admit({ ...credential, expiresAt: Date.now() + 60_000 })).toMatchObject({ outcome: "admitted" });
  expect(await meter.admit({ ...credential, expiresAt: Date.now() })).toEqual({ outcome: "expired" });
  expect(await meter.admit(credential)).toMatchObject({ outcome: "admitted" });
});

it("A revoked key is refused as revoked, also after its time", async () => {
  const { id, token } = await openAccount("pro");
  const { _id } = await makeKey(token, null);
  await call(`/keys/${_id}`, { method: "DELETE", headers: bearer(token) });
  const credential = { kind: "key", keyId: _id, keyKind: "api", expiresAt: 1 } as const;
  expect(await meterOf(id).admit(credential)).toEqual({ outcome: "refused" });
});

it.each(["2020-01-01T00:00:00Z", "tomorrow", "2099-13-01T00:00:00Z", 5])(
  "An expiry of %j is 400",
  async (expiresAt) => {
    const { token } = await openAccount("pro");
    const response = await callJson("POST", "/keys", token, { name: "x", expiresAt });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ details: { expiresAt: expect.any(String) } });
  },
);

it("A directory that lost a limited key gets it back with its limits", async () => {
  const { id, token } = await openAccount("pro");
  const folder = await (await callJson("POST", "/folders", token, { name: "f" })).json<{ _id: string }>();
  const body = { name: "x", scopes: ["upload"], folderId: folder._id, expiresAt: "2099-01-01T00:00:00.000Z" };
  const made = await (await callJson("POST", "/keys", token, body)).json<{ _id: string }>();
  await env.DB.prepare("DELETE FROM keys WHERE id = ?").bind(made._id).run();
  const { email } = await (await call("/account", { headers: bearer(token) })).json<{ email: string }>();
  const repaired = await call(`/admin/accounts/${email}/reconcile`, {
    method: "POST",
    headers: { ...bearer(env.ADMIN_TOKEN), "Content-Type": "application/json" },
    body: JSON.stringify({ repair: true }),
  });
  expect(repaired.status).toBe(200);
  const { keys } = await (await call("/keys", { headers: bearer(token) })).json<{ keys: { _id: string }[] }>();
  expect(keys.find(({ _id }) => _id === made._id)).toMatchObject(body);
  expect(id).toBeDefined();
});
