import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { totpCode } from "../../../src/domain/totp.ts";
import { ageProofs } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, type TestAccount } from "../../support/api/api.ts";
import { callWith } from "../../support/api/registration.ts";
import { fromBase32 } from "../../support/from-base32.ts";

const STEP_MS = 30_000;
interface Protected {
  readonly account: TestAccount;
  readonly secret: Uint8Array<ArrayBuffer>;
  readonly recoveryCodes: readonly string[];
}

// A step that ends during a test would change which codes are right.
beforeEach(() => {
  vi.setSystemTime(Date.now());
});
afterEach(() => {
  vi.useRealTimers();
});

/** An account whose authenticator app is confirmed with the code of the step before this one. */
async function protectAccount(): Promise<Protected> {
  const account = await openAccount();
  const begun = await callJson("POST", "/account/totp", account.token, {});
  expect(begun.status).toBe(201);
  const { secret: text, uri } = await begun.json<{ secret: string; uri: string }>();
  expect(uri).toContain(`secret=${text}`);
  const secret = fromBase32(text);
  const code = await totpCode(secret, Date.now() - STEP_MS);
  const confirmed = await callJson("POST", "/account/totp/confirm", account.token, { code });
  expect(confirmed.status).toBe(200);
  return { account, secret, ...(await confirmed.json<{ recoveryCodes: string[] }>()) };
}

function logIn({ email, password }: TestAccount, code?: string): Promise<Response> {
  return callJson("POST", "/auth/login", undefined, { email, password, ...(code !== undefined && { code }) });
}

async function codeOf(response: Response): Promise<[number, string]> {
  return [response.status, (await response.json<{ code: string }>()).code];
}

describe("A log-in with an authenticator app", () => {
  it("The log-in's answer is the same without an authenticator app, and an app that is not confirmed changes nothing", async () => {
    const account = await openAccount();
    await callJson("POST", "/account/totp", account.token, {});
    const response = await logIn(account);
    expect(response.status).toBe(200);
    expect(Object.keys(await response.json<object>())).toEqual(["token", "expiresAt", "account"]);
  });

  it("The right password alone is 401 `second_factor_required`; a wrong one gets the same answer as without an app", async () => {
    const { account } = await protectAccount();
    const missing = await logIn(account);
    expect(missing.headers.getSetCookie().some((cookie) => cookie.includes("session="))).toBe(false);
    expect(await codeOf(missing)).toEqual([401, "second_factor_required"]);
    expect(await codeOf(await logIn({ ...account, password: "not the password" }))).toEqual([401, "wrong_credentials"]);
  });

  it("Each code of the app opens one session; later neither this code nor an older one opens another", async () => {
    const { account, secret } = await protectAccount();
    const [before, code] = [await totpCode(secret, Date.now() - STEP_MS), await totpCode(secret, Date.now())];
    expect((await logIn(account, code)).status).toBe(200);
    expect(await codeOf(await logIn(account, code))).toEqual([403, "wrong_code"]);
    expect(await codeOf(await logIn(account, before))).toEqual([403, "wrong_code"]);
  });

  it("Only one of several log-ins with one code at once succeeds", async () => {
    const { account, secret } = await protectAccount();
    const code = await totpCode(secret, Date.now() + STEP_MS);
    const answers = await Promise.all([1, 2, 3].map(() => logIn(account, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("The app's codes are refused after ten wrong codes in a day; a recovery code still opens a session, once", async () => {
    const { account, secret, recoveryCodes } = await protectAccount();
    expect(new Set(recoveryCodes).size).toBe(10);
    const right = new Set(await Promise.all([-1, 0, 1].map((late) => totpCode(secret, Date.now() + late * STEP_MS))));
    const wrong = ["000000", "111111", "222222", "333333"].find((code) => !right.has(code)) ?? "";
    for (let guess = 0; guess < 10; guess++) expect((await logIn(account, wrong)).status).toBe(403);
    expect((await logIn(account, await totpCode(secret, Date.now()))).status).toBe(429);
    const [code = ""] = recoveryCodes;
    expect((await logIn(account, code.toUpperCase().replaceAll("-", " "))).status).toBe(200);
    expect(await codeOf(await logIn(account, code))).toEqual([403, "wrong_code"]);
  });
});

describe("An authenticator app after a change of `SIGN_IN_SECRET`", () => {
  it("The app's codes are refused after a change of `SIGN_IN_SECRET`, with a line in the log, and a recovery code still works", async () => {
    const { account, secret, recoveryCodes } = await protectAccount();
    const { id, email, password } = account;
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const logInWith = (code: string | undefined) =>
      callWith({ SIGN_IN_SECRET: "another secret" }, "/auth/login", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ email, password, code }),
      });
    const code = await totpCode(secret, Date.now());
    expect(await codeOf(await logInWith(code))).toEqual([403, "wrong_code"]);
    const lines = errors.mock.calls.map(([line]) => JSON.parse(String(line)));
    errors.mockRestore();
    expect(lines).toContainEqual({ event: "totp.not-opened", accountId: id });
    expect(JSON.stringify(lines)).not.toContain(code);
    expect((await logInWith(recoveryCodes[0])).status).toBe(200);
    expect((await logIn(account, code)).status).toBe(200);
  });
});

describe("The authenticator app of an account", () => {
  it("The secret of an authenticator app is encrypted in the directory, and its recovery codes are hashed", async () => {
    const { account, secret, recoveryCodes } = await protectAccount();
    const rows = [
      await env.DB.prepare("SELECT * FROM second_factors WHERE account_id = ?").bind(account.id).all(),
      await env.DB.prepare("SELECT * FROM recovery_codes WHERE account_id = ?").bind(account.id).all(),
    ];
    const text = JSON.stringify(rows.map(({ results }) => results));
    for (const shown of [...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll("-", ""))]) {
      expect(text).not.toContain(shown);
    }
    expect(text).not.toContain(Buffer.from(secret).toString("base64url"));
    expect(text).not.toContain(Buffer.from(secret).toString("hex"));
  });

  it("A session without a recent proof cannot add, confirm or remove an authenticator app, or renew its recovery codes", async () => {
    const { account } = await protectAccount();
    await ageProofs(account.id);
    for (const [method, path] of [
      ["POST", "/account/totp"],
      ["POST", "/account/totp/recovery-codes"],
      ["DELETE", "/account/totp"],
    ] as const) {
      const response = await call(path, { method, headers: bearer(account.token) });
      expect(await codeOf(response)).toEqual([403, "reauthentication_required"]);
    }
  });

  it("A code of the authenticator app is a proof", async () => {
    const { account, secret } = await protectAccount();
    await ageProofs(account.id);
    const code = await totpCode(secret, Date.now());
    expect((await callJson("POST", "/auth/reauthenticate", account.token, { code })).status).toBe(200);
    expect((await callJson("POST", "/keys/upload/regenerate", account.token, {})).status).toBe(201);
  });

  it("An authenticator app is shown, its recovery codes can be replaced, and it can be removed", async () => {
    const { account, recoveryCodes } = await protectAccount();
    const read = async () => (await call("/account/totp", { headers: bearer(account.token) })).json();
    expect(await read()).toEqual({ enabled: true, enabledAt: expect.any(String), recoveryCodesLeft: 10 });
    expect(await codeOf(await callJson("POST", "/account/totp", account.token, {}))).toEqual([409, "totp_in_use"]);
    expect((await callJson("POST", "/account/totp/recovery-codes", account.token, {})).status).toBe(200);
    expect((await logIn(account, recoveryCodes[0])).status).toBe(403);
    expect((await call("/account/totp", { method: "DELETE", headers: bearer(account.token) })).status).toBe(200);
    expect(await read()).toEqual({ enabled: false, enabledAt: null, recoveryCodesLeft: 0 });
    expect((await logIn(account)).status).toBe(200);
  });

  it("An erased account has neither app nor recovery codes", async () => {
    const { account } = await protectAccount();
    const { id, password, token } = account;
    expect((await callJson("DELETE", "/account", token, { password })).status).toBe(200);
    for (const table of ["second_factors", "recovery_codes", "passkeys"]) {
      const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE account_id = ?`).bind(id).all();
      expect(results).toEqual([]);
    }
  });
});
