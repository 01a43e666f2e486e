import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { ageProofs, meterOf } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, openProAccount } from "../../support/api/api.ts";

const UNPROVEN = {
  error: "Confirm your password to make this change",
  statusCode: 403,
  code: "reauthentication_required",
};

function reauthenticate(token: string, body: unknown): Promise<Response> {
  return callJson("POST", "/auth/reauthenticate", token, body);
}

describe("A stolen session that is older than 15 minutes", () => {
  it("A stolen session older than 15 minutes can neither make nor revoke keys, nor set or remove the webhook", async () => {
    const { id, token, apiKey, apiKeyId } = await openProAccount();
    await ageProofs(id);
    for (const [method, path, body] of [
      ["POST", "/keys", { name: "The thief's key" }],
      ["DELETE", `/keys/${apiKeyId}`, {}],
      ["PUT", "/settings/webhook", { url: "https://thief.example/hook" }],
      ["DELETE", "/settings/webhook", {}],
    ] as const) {
      const response = await callJson(method, path, token, body);
      expect(await response.json(), path).toEqual(UNPROVEN);
    }
    // An API key is no session, and still works.
    expect((await call("/images", { headers: bearer(apiKey) })).status).toBe(200);
    expect((await call("/settings/webhook", { method: "DELETE", headers: bearer(apiKey) })).status).toBe(200);
    // All other requests are accepted.
    expect((await call("/images", { headers: bearer(token) })).status).toBe(200);
  });

  it("A stolen session older than 15 minutes cannot regenerate the upload key of a Free account", async () => {
    const { id, token } = await openAccount();
    await ageProofs(id);
    expect(await (await callJson("POST", "/keys/upload/regenerate", token, {})).json()).toEqual(UNPROVEN);
  });

  it("A stolen session cannot change the password without the current one", async () => {
    const { id, token } = await openAccount();
    await ageProofs(id);
    const password = "the thief's own choice";
    const wrong = await callJson("PATCH", "/account", token, { password, currentPassword: "a guess" });
    expect(await wrong.json()).toMatchObject({ statusCode: 403, code: "wrong_password" });
    expect((await callJson("PATCH", "/account", token, { password })).status).toBe(400);
  });
});

describe("`POST /auth/reauthenticate`", () => {
  it("The password is a proof for 15 minutes, only for its session", async () => {
    const { id, email, password, token } = await openProAccount();
    const other = await callJson("POST", "/auth/login", undefined, { email, password });
    const { token: otherToken } = await other.json<{ token: string }>();
    await ageProofs(id);
    const proven = await reauthenticate(token, { password });
    expect(proven.status).toBe(200);
    const { provenUntil } = await proven.json<{ provenUntil: string }>();
    expect(Date.parse(provenUntil) - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(Date.parse(provenUntil) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    expect((await callJson("POST", "/keys", token, { name: "mine" })).status).toBe(201);
    expect((await callJson("POST", "/keys", otherToken, { name: "not proven" })).status).toBe(403);
  });

  it("A wrong password is no proof, and guesses are limited", async () => {
    const { id, token } = await openAccount();
    await ageProofs(id);
    for (let guess = 0; guess < 10; guess++) {
      const wrong = await reauthenticate(token, { password: `guess ${guess}` });
      expect(await wrong.json()).toMatchObject({ statusCode: 403, code: "wrong_password" });
    }
    expect((await reauthenticate(token, { password: "one more" })).status).toBe(429);
    expect((await callJson("POST", "/keys/upload/regenerate", token, {})).status).toBe(403);
  });

  it("A log-in is a proof", async () => {
    const { id, email, password } = await openAccount();
    await ageProofs(id);
    const response = await callJson("POST", "/auth/login", undefined, { email, password });
    const { token } = await response.json<{ token: string }>();
    expect((await callJson("POST", "/keys/upload/regenerate", token, {})).status).toBe(201);
  });

  it("A session of an object without proofs has no proof", async () => {
    const { id, token } = await openAccount();
    await runInDurableObject(meterOf(id), (_, { storage: { sql } }) => {
      sql.exec("CREATE TABLE old_sessions AS SELECT id, created_at, expires_at FROM sessions");
      sql.exec("DROP TABLE sessions");
      sql.exec(
        "CREATE TABLE sessions (id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID",
      );
      sql.exec("INSERT INTO sessions SELECT * FROM old_sessions");
      sql.exec("DROP TABLE old_sessions");
    });
    const { evictDurableObject } = await import("cloudflare:test");
    await evictDurableObject(meterOf(id));
    expect((await callJson("POST", "/keys/upload/regenerate", token, {})).status).toBe(403);
    const listed = await (await call("/sessions", { headers: bearer(token) })).json<{ sessions: object[] }>();
    expect(listed.sessions).toMatchObject([{ device: "", address: expect.any(String), isCurrent: true }]);
  });
});
