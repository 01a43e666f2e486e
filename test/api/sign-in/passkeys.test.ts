import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { findPasskeyByCredential, usePasskey } from "../../../src/db/directory/passkeys.ts";
import { onlySecret } from "../../../src/domain/secret-pair.ts";
import { openStores } from "../../../src/services/open-services.ts";
import { makeChallenge, readChallenge } from "../../../src/services/passkeys/challenge.ts";
import { replaceStores, replayIntents, restoreStores } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount } from "../../support/api/api.ts";
import { failingDatabases } from "../../support/api/databases.ts";
import { addPasskey, answerOf, makePasskey, registrationOf, type TestPasskey } from "../../support/api/passkey.ts";
import { asOperator } from "../../support/operator/as-operator.ts";

// test/e2e/dashboard-sign-in.test.ts tests passkeys in Chromium.

const SECRET = "a secret";
const NOW = 1_700_000_000_000;

function challenge(purpose: string): string {
  return Buffer.from(makeChallenge(purpose, onlySecret(SECRET), NOW)).toString("base64url");
}

it("A challenge is valid for its purpose, by its secret, for five minutes", () => {
  const made = challenge("log-in");
  expect(readChallenge(made, "log-in", onlySecret(SECRET), NOW + 300_000)).toBe(NOW);
  expect(readChallenge(made, "log-in", onlySecret(SECRET), NOW + 300_001)).toBeUndefined();
  expect(readChallenge(made, "register 1", onlySecret(SECRET), NOW)).toBeUndefined();
  expect(readChallenge(made, "log-in", onlySecret("another secret"), NOW)).toBeUndefined();
  for (const bad of ["", "AAAA", `${made}AA`, made.slice(4)])
    expect(readChallenge(bad, "log-in", onlySecret(SECRET), NOW)).toBeUndefined();
});

it("An unknown passkey is 403, and a malformed answer is 400", async () => {
  const response = { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "AAAA" };
  const answer = { id: "AAAA", rawId: "AAAA", type: "public-key", clientExtensionResults: {}, response };
  const refused = await callJson("POST", "/auth/passkey", undefined, answer);
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: "passkey_refused" }]);
  for (const bad of [{}, { ...answer, type: "password" }, { ...answer, id: "x".repeat(2000) }]) {
    expect((await callJson("POST", "/auth/passkey", undefined, bad)).status).toBe(400);
  }
});

it("A session adds a passkey that a browser has made", async () => {
  const { token } = await openAccount();
  const options = await callJson("POST", "/passkeys/options", token, {});
  const added = await callJson(
    "POST",
    "/passkeys",
    token,
    await registrationOf(await makePasskey(), await options.json()),
  );
  expect([added.status, await added.json()]).toMatchObject([201, { name: "Test" }]);
  expect(await (await call("/passkeys", { headers: bearer(token) })).json()).toMatchObject({
    passkeys: [{ name: "Test" }],
  });
});

it("A passkey that is not valid is refused, and the account gets none", async () => {
  const { token } = await openAccount();
  const credential = { id: "AAAA", rawId: "AAAA", type: "public-key", clientExtensionResults: {} };
  for (const attestationObject of ["AAAA", "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVgA", "____"]) {
    const body = { name: "Bad", ...credential, response: { clientDataJSON: "e30", attestationObject } };
    const response = await callJson("POST", "/passkeys", token, body);
    expect([response.status, await response.json()]).toMatchObject([403, { code: "passkey_refused" }]);
  }
  expect(await (await call("/passkeys", { headers: bearer(token) })).json()).toMatchObject({ passkeys: [] });
});

const REFUSED = {
  status: 403,
  body: {
    error: "The passkey is unknown or its answer is not valid",
    statusCode: 403,
    code: "passkey_refused",
  },
};

interface Answered {
  readonly status: number;
  readonly body: { readonly token?: string; readonly account?: { readonly email: string } };
}

async function getOptions(): Promise<{ challenge: string }> {
  return (await callJson("POST", "/auth/passkey/options", undefined, {})).json();
}

async function send(answer: object): Promise<Answered> {
  const response = await callJson("POST", "/auth/passkey", undefined, answer);
  return { status: response.status, body: await response.json() };
}

/** Answers a new challenge. */
async function logIn(passkey: TestPasskey, changes: Parameters<typeof answerOf>[2] = {}): Promise<Answered> {
  return send(await answerOf(passkey, await getOptions(), changes));
}

function handleOf(accountId: string): string {
  return Buffer.from(accountId).toString("base64url");
}

describe("A log-in by passkey", () => {
  it("A passkey logs in with a session that is a recent proof, with and without a user handle", async () => {
    const { id, email, token } = await openAccount();
    const passkey = await addPasskey(token);
    for (const changes of [{}, { userHandle: handleOf(id) }]) {
      const { status, body } = await logIn(passkey, changes);
      expect([status, body.account?.email]).toEqual([200, email]);
      expect((await callJson("POST", "/passkeys/options", body.token, {})).status).toBe(200);
    }
    const { passkeys } = await (await call("/passkeys", { headers: bearer(token) })).json<{ passkeys: object[] }>();
    expect(passkeys).toMatchObject([{ lastUsedAt: expect.any(String) }]);
  });

  it("The same answer is valid once, and never again after a later log-in", async () => {
    const passkey = await addPasskey((await openAccount()).token);
    const answer = await answerOf(passkey, await getOptions());
    expect((await send(answer)).status).toBe(200);
    expect(await send(answer)).toEqual(REFUSED);
    expect((await logIn(passkey)).status).toBe(200);
    expect(await send(answer)).toEqual(REFUSED);
  });

  it("One of two copies of an answer at the same time logs in", async () => {
    const passkey = await addPasskey((await openAccount()).token);
    const answer = await answerOf(passkey, await getOptions());
    const answered = await Promise.all([send(answer), send(answer)]);
    expect(answered.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  it("A wrong signature is refused, whatever its form, and the challenge stays valid", async () => {
    const passkey = await addPasskey((await openAccount()).token);
    const options = await getOptions();
    const { keys } = await makePasskey();
    expect(await send(await answerOf(passkey, options, { keys }))).toEqual(REFUSED);
    const right = await answerOf(passkey, options);
    for (const signature of ["AAAA", "MAA", "MAYCAQECAQE", "____", "A".repeat(20_000)]) {
      expect(await send({ ...right, response: { ...right.response, signature } }), signature).toEqual(REFUSED);
    }
    expect((await send(right)).status).toBe(200);
  });

  it("A challenge of another purpose, another secret or another form is refused", async () => {
    const { id, token } = await openAccount();
    const passkey = await addPasskey(token);
    const registration = await (await callJson("POST", "/passkeys/options", token, {})).json<{ challenge: string }>();
    const foreign = Buffer.from(makeChallenge("log-in", onlySecret("another secret"), Date.now())).toString(
      "base64url",
    );
    const old = Buffer.from(makeChallenge("log-in", onlySecret(env.SIGN_IN_SECRET), Date.now() - 300_001));
    for (const challenge of [registration.challenge, foreign, old.toString("base64url"), handleOf(id), ""]) {
      expect(await send(await answerOf(passkey, { challenge })), challenge).toEqual(REFUSED);
    }
    expect((await logIn(passkey)).status).toBe(200);
  });

  it("An answer of another origin, or without the user's verification or presence, is refused", async () => {
    const passkey = await addPasskey((await openAccount()).token);
    for (const origin of ["https://evil.example", "https://media.example.evil.example", "http://media.example", ""]) {
      expect(await logIn(passkey, { origin }), origin).toEqual(REFUSED);
    }
    for (const flags of [0x00, 0x01, 0x04]) expect(await logIn(passkey, { flags }), String(flags)).toEqual(REFUSED);
    expect((await logIn(passkey)).status).toBe(200);
  });

  it("A count of uses that stays or goes back is refused, and the stored count stays", async () => {
    const passkey = await addPasskey((await openAccount()).token);
    expect((await logIn(passkey, { counter: 5 })).status).toBe(200);
    for (const counter of [5, 4, 0]) expect(await logIn(passkey, { counter }), String(counter)).toEqual(REFUSED);
    expect((await logIn(passkey, { counter: 6 })).status).toBe(200);
  });

  it("A count that goes back is refused even if both answers were verified before either was recorded", async () => {
    const { directory } = openStores(env);
    const { id } = await addPasskey((await openAccount()).token);
    const stored = await findPasskeyByCredential(directory, id);
    if (stored === undefined) throw new Error("The passkey is not stored");
    const use = (counter: number, later: number) => {
      const challengedAt = stored.challengedAt + later;
      return usePasskey(directory, stored, { counter, challengedAt, usedAt: challengedAt });
    };
    expect([await use(0, 1), await use(0, 2)]).toEqual([true, true]);
    expect([await use(6, 3), await use(5, 4), await use(6, 5), await use(0, 6)]).toEqual([true, false, false, false]);
    expect(await use(7, 7)).toBe(true);
  });
});

describe("A passkey of another account", () => {
  it("An answer with the credential of one account and the key or the user handle of another is refused", async () => {
    const [one, other] = [await openAccount(), await openAccount()];
    const [passkey, others] = [await addPasskey(one.token), await addPasskey(other.token)];
    expect(await logIn(others, { keys: passkey.keys })).toEqual(REFUSED);
    for (const userHandle of [handleOf(other.id), "AAAA", "!"]) {
      expect(await logIn(passkey, { userHandle }), userHandle).toEqual(REFUSED);
    }
    expect((await logIn(passkey)).body.account?.email).toBe(one.email);
  });

  it("A passkey proves only its own account's session", async () => {
    const [one, other] = [await openAccount(), await openAccount()];
    const [passkey, others] = [await addPasskey(one.token), await addPasskey(other.token)];
    const prove = async (by: TestPasskey) => {
      const answer = await answerOf(by, await getOptions());
      const response = await callJson("POST", "/auth/reauthenticate", one.token, { passkey: answer });
      return { status: response.status, body: await response.json() };
    };
    expect(await prove(others)).toEqual(REFUSED);
    expect((await prove(passkey)).status).toBe(200);
  });

  it("A passkey that its account has removed is refused", async () => {
    const { token } = await openAccount();
    const passkey = await addPasskey(token);
    const listed = await call("/passkeys", { headers: bearer(token) });
    const [{ _id }] = (await listed.json<{ passkeys: [{ _id: string }] }>()).passkeys;
    expect((await callJson("DELETE", `/passkeys/${_id}`, token, undefined)).status).toBe(200);
    expect(await logIn(passkey)).toEqual(REFUSED);
  });
});

describe("A passkey of an account that is stopped", () => {
  it("A passkey of an erased account is refused, also while its erasure is unfinished", async () => {
    const { id, token, password } = await openAccount();
    const passkey = await addPasskey(token);
    await replaceStores(id, failingDatabases());
    await callJson("DELETE", "/account", token, { password });
    expect(await findPasskeyByCredential(openStores(env).directory, passkey.id)).toBeDefined();
    expect(await logIn(passkey)).toEqual(REFUSED);
    await restoreStores(id);
    await replayIntents(id);
    expect(await findPasskeyByCredential(openStores(env).directory, passkey.id)).toBeUndefined();
    expect(await logIn(passkey)).toEqual(REFUSED);
  });

  it("A passkey of a suspended account is 403 `account_suspended` with the reason until the account is unsuspended", async () => {
    const { email, token } = await openAccount();
    const passkey = await addPasskey(token);
    expect((await asOperator("POST", `accounts/${email}/suspend`, { reason: "Spam" })).status).toBe(200);
    expect(await logIn(passkey)).toEqual({
      status: 403,
      body: {
        error: "The operator has suspended this account",
        statusCode: 403,
        code: "account_suspended",
        details: { reason: "Spam" },
      },
    });
    expect((await asOperator("POST", `accounts/${email}/unsuspend`, { reason: "A mistake" })).status).toBe(200);
    expect((await logIn(passkey)).status).toBe(200);
  });
});
