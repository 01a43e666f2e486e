import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { insertPasskey } from "../../../src/db/directory/passkeys.ts";
import type { Passkey } from "../../../src/db/directory/schema.ts";
import { newId } from "../../../src/domain/ids.ts";
import { openStores } from "../../../src/services/open-services.ts";
import worker from "../../../src/worker.ts";
import { meterOf, readMeter, replaceStores, replayTwice, restoreStores } from "../../support/api/account-state.ts";
import { BASE_URL, bearer, call, callJson, createApiKey, openAccount, openProAccount } from "../../support/api/api.ts";
import { around } from "../../support/api/around-meters.ts";
import { failingDatabases } from "../../support/api/databases.ts";
import { makePasskey, registrationOf } from "../../support/api/passkey.ts";
import { newEmail } from "../../support/api/registration.ts";

const NEXT = "a new long password";

function register(password: string): Promise<Response> {
  return callJson("POST", "/auth/register", undefined, { email: newEmail(), password });
}

function newPasskey(accountId: string): Passkey {
  const facts = { credentialId: crypto.randomUUID(), publicKey: "", transports: [], name: "Stolen" };
  return {
    id: newId(Date.now()),
    accountId,
    ...facts,
    counter: 0,
    createdAt: Date.now(),
    usedAt: null,
    challengedAt: 0,
  };
}

/** Sends a request to a Worker with these accounts' objects. */
async function sendTo(meters: Env["ACCOUNT_METER"], method: string, path: string, token: string, body: unknown) {
  const ctx = createExecutionContext();
  const headers = { ...bearer(token), "Content-Type": "application/json" };
  const request = new Request(BASE_URL + path, { method, headers, body: JSON.stringify(body) });
  const response = await worker.fetch(request, { ...env, ACCOUNT_METER: meters }, ctx);
  await waitOnExecutionContext(ctx);
  return { status: response.status, body: await response.json<{ code?: string }>() };
}

async function logIn({ email, password }: { readonly email: string; readonly password: string }): Promise<string> {
  return (await (await callJson("POST", "/auth/login", undefined, { email, password })).json<{ token: string }>())
    .token;
}

describe("New passwords", () => {
  it.each(["12345678", "Password1", "qwertyuiop", "iloveyou", "TRUSTNO1"])(
    "The common password %s is refused at registration and as a new password",
    async (password) => {
      const { token, password: currentPassword } = await openAccount();
      for (const response of [
        await register(password),
        await callJson("PATCH", "/account", token, { password, currentPassword }),
      ]) {
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({
          code: "invalid_request",
          details: { password: "Is among the most common passwords" },
        });
      }
    },
  );

  it("A new password has 8 to 128 characters, of any kind", async () => {
    expect((await register("7 signs")).status).toBe(400);
    expect((await register("8 signs!")).status).toBe(201);
    expect((await register("🦊".repeat(128))).status).toBe(201);
    expect((await register("🦊".repeat(129))).status).toBe(400);
  });
});

describe("A password change that revokes keys", () => {
  it("`revokeKeysSince` revokes the keys that were made on that day or later, and no older ones", async () => {
    const { id, token, password, apiKey } = await openProAccount();
    await env.DB.prepare("UPDATE keys SET created_at = created_at - 86400000 WHERE account_id = ?").bind(id).run();
    const { key: stolen } = await createApiKey(token);
    const revokeKeysSince = new Date().toISOString().slice(0, 10);
    const body = { password: NEXT, currentPassword: password, revokeKeysSince };
    expect((await callJson("PATCH", "/account", token, body)).status).toBe(200);
    expect((await call("/images", { headers: bearer(stolen) })).status).toBe(401);
    expect((await call("/images", { headers: bearer(apiKey) })).status).toBe(200);
    const { keys } = await (await call("/keys", { headers: bearer(token) })).json<{ keys: object[] }>();
    expect(keys).toHaveLength(2);
    expect((await readMeter(id)).intents).toEqual([]);
  });

  it("A key and a passkey that a stolen session makes right before the new password are removed too", async () => {
    const account = await openProAccount();
    const { id, token, password } = account;
    const stolen = await logIn(account);
    let made = "";
    const before = async () => {
      made = (await createApiKey(stolen)).key;
      await insertPasskey(openStores(env).directory, newPasskey(id), 20);
    };
    const body = { password: NEXT, currentPassword: password, revokeKeysSince: "2026-01-01" };
    const meters = around(env.ACCOUNT_METER, "setPassword", { before });
    expect((await sendTo(meters, "PATCH", "/account", token, body)).status).toBe(200);
    expect((await call("/images", { headers: bearer(made) })).status).toBe(401);
    const passkeys = await (await call("/passkeys", { headers: bearer(token) })).json();
    expect(passkeys).toMatchObject({ passkeys: [] });
    expect((await call("/images", { headers: bearer(stolen) })).status).toBe(401);
  });

  it("A request for a key or a passkey that a stolen session begins before the new password and ends after it creates none", async () => {
    for (const path of ["/keys", "/keys/upload/regenerate", "/passkeys"]) {
      const account = path === "/keys/upload/regenerate" ? await openAccount() : await openProAccount();
      const { token, password } = account;
      const stolen = await logIn(account);
      const options = await callJson("POST", "/passkeys/options", stolen, {});
      const thieves =
        path === "/passkeys"
          ? await registrationOf(await makePasskey(), await options.json())
          : { name: "Stolen", scopes: [] };
      const change = { password: NEXT, currentPassword: password, revokeKeysSince: "2026-01-01" };
      const after = async () => expect((await callJson("PATCH", "/account", token, change)).status).toBe(200);
      // The guard admits a request before its body has arrived.
      const sent = await sendTo(around(env.ACCOUNT_METER, "admit", { after }), "POST", path, stolen, thieves);
      expect(sent).toMatchObject(
        path === "/keys/upload/regenerate"
          ? { status: 409, body: { code: "upload_key_replaced" } }
          : { status: 401, body: { code: "invalid_session" } },
      );
      const { keys } = await (await call("/keys", { headers: bearer(token) })).json<{ keys: object[] }>();
      expect(keys).toEqual([]);
      const passkeys = await (await call("/passkeys", { headers: bearer(token) })).json();
      expect(passkeys).toMatchObject({ passkeys: [] });
    }
  });

  it("Keys are revoked with the password even if the directory fails, and the alarm updates the directory", async () => {
    const { id, token, apiKey, apiKeyId } = await openProAccount();
    await replaceStores(id, failingDatabases());
    const changed = await meterOf(id)
      .setPassword("scrypt$1$1$1$aa$aa", JSON.parse(atob(token.split(".")[1] ?? "")).sid, [apiKeyId])
      .catch(String);
    expect(changed).toContain("out of order");
    await restoreStores(id);
    expect((await call("/images", { headers: bearer(apiKey) })).status).toBe(401);
    await replayTwice(id);
    const { keys } = await (await call("/keys", { headers: bearer(token) })).json<{ keys: { _id: string }[] }>();
    expect(keys.map(({ _id }) => _id)).not.toContain(apiKeyId);
  });

  it("`revokeKeysSince` needs a new password and a day", async () => {
    const { token, password: currentPassword } = await openAccount();
    const bad = [{ revokeKeysSince: "2026-01-01" }, { password: NEXT, currentPassword, revokeKeysSince: "yesterday" }];
    for (const body of bad) expect((await callJson("PATCH", "/account", token, body)).status).toBe(400);
  });
});
