import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { meterOf, replaceStores, replayTwice, restoreStores } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, type TestAccount } from "../../support/api/api.ts";
import { failingDatabases } from "../../support/api/databases.ts";
import { gatedDatabase } from "../../support/api/gated-database.ts";

const NEW_PASSWORD = "a new and better password";

function logIn(account: TestAccount, password = account.password): Promise<Response> {
  return callJson("POST", "/auth/login", undefined, { email: account.email, password });
}

function changePassword(account: TestAccount, token = account.token, password = NEW_PASSWORD): Promise<Response> {
  return callJson("PATCH", "/account", token, { currentPassword: account.password, password });
}

async function statusOf(token: string): Promise<number> {
  return (await call("/account", { headers: bearer(token) })).status;
}

/** Runs a function at a moment when the account's object knows the new password and the directory does not yet. */
async function whileChanging(account: TestAccount, deed: () => Promise<void>): Promise<Response> {
  await replaceStores(account.id, { DB: gatedDatabase(deed) });
  const response = await changePassword(account);
  await restoreStores(account.id);
  return response;
}

/** Removes the digest, as in an object of a version without digests. */
async function forgetPassword(account: TestAccount): Promise<void> {
  await runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
    storage.sql.exec("DROP TABLE password");
  });
  await restoreStores(account.id);
}

describe("Log-in with the old password during its change", () => {
  it("A log-in with the old password is answered as wrong, and opens no session", async () => {
    const account = await openAccount();
    let answer: unknown;
    const changed = await whileChanging(account, async () => {
      const response = await logIn(account);
      answer = [response.status, await response.json()];
    });
    expect(changed.status).toBe(200);
    const wrong = await logIn(account, "never the password");
    expect(answer).toEqual([401, await wrong.json()]);
    expect(wrong.status).toBe(401);
    expect((await logIn(account, NEW_PASSWORD)).status).toBe(200);
  });

  it("A log-in with the old password opens no session that stays valid, in any order of the two", async () => {
    const account = await openAccount();
    await replaceStores(account.id, { DB: gatedDatabase(() => new Promise((resolve) => setTimeout(resolve, 200))) });
    const changing = changePassword(account);
    const logins: Promise<Response>[] = [];
    for (let i = 0; i < 8; i++) {
      logins.push(logIn(account));
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect((await changing).status).toBe(200);
    for (const login of logins) {
      const response = await login;
      if (response.status !== 200) expect(response.status).toBe(401);
      else expect(await statusOf((await response.json<{ token: string }>()).token)).toBe(401);
    }
    await restoreStores(account.id);
  });

  it("The old password stays refused during an outage of D1", async () => {
    const account = await openAccount();
    await replaceStores(account.id, failingDatabases());
    expect((await changePassword(account)).status).toBe(503);
    await restoreStores(account.id);
    expect((await logIn(account)).status).toBe(401);
    await replayTwice(account.id);
    expect((await logIn(account, NEW_PASSWORD)).status).toBe(200);
  });
});

describe("Object from before passwords were stored in it", () => {
  it("An object of an earlier version takes the password from the directory at the first log-in", async () => {
    const account = await openAccount();
    await forgetPassword(account);
    expect((await logIn(account, "never the password")).status).toBe(401);
    expect((await logIn(account)).status).toBe(200);
    expect((await changePassword(account)).status).toBe(200);
    expect((await logIn(account)).status).toBe(401);
    expect((await logIn(account, NEW_PASSWORD)).status).toBe(200);
  });

  it("The object accepts a password whose change has not reached the directory", async () => {
    const account = await openAccount();
    await replaceStores(account.id, failingDatabases());
    expect((await changePassword(account)).status).toBe(503);
    await forgetPassword(account);
    expect((await logIn(account)).status).toBe(401);
    await replayTwice(account.id);
    expect((await logIn(account, NEW_PASSWORD)).status).toBe(200);
  });
});

describe("Directory restored to an older password", () => {
  it("The directory gets the newer password when the older one is tried, which opens no session", async () => {
    const account = await openAccount();
    const hash = () => env.DB.prepare("SELECT password_hash FROM accounts WHERE id = ?").bind(account.id).first();
    const before = (await hash())?.password_hash;
    expect((await changePassword(account)).status).toBe(200);
    await env.DB.prepare("UPDATE accounts SET password_hash = ? WHERE id = ?").bind(before, account.id).run();
    expect((await logIn(account)).status).toBe(401);
    expect((await logIn(account, NEW_PASSWORD)).status).toBe(200);
    expect((await logIn(account)).status).toBe(401);
  });
});

describe("Two sessions with the same password at the same time", () => {
  it.each([
    ["a password change", (account: TestAccount, token: string) => changePassword(account, token, "what a thief sets")],
    [
      "an erasure",
      (account: TestAccount, token: string) => callJson("DELETE", "/account", token, { password: account.password }),
    ],
  ])("Two sessions with the same password do not both succeed (%s beside a password change)", async (_, act) => {
    const account = await openAccount();
    const { token } = await (await logIn(account)).json<{ token: string }>();
    const answers = await Promise.all([changePassword(account), act(account, token)]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toEqual([200]);
    expect(statuses.filter((status) => status === 401 || status === 403)).toHaveLength(1);
    const first = statuses[0] === 200;
    expect((await logIn(account, NEW_PASSWORD)).status).toBe(first ? 200 : 401);
    expect(await statusOf(account.token)).toBe(first ? 200 : 401);
  });

  it("Only one of two sessions with the same password stays valid", async () => {
    const account = await openAccount();
    expect((await changePassword(account)).status).toBe(200);
    const ended = "01hzy3v7k9q4r5s6t7v8w9x0ya";
    expect(await meterOf(account.id).setPassword("scrypt$1$1$1$a$b", ended)).toBe(false);
    expect(await meterOf(account.id).erase(ended)).toEqual({ outcome: "refused" });
    expect((await logIn(account, NEW_PASSWORD)).status).toBe(200);
  });
});
