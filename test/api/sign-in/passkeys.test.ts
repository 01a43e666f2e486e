import { expect, it } from "vitest";
import { onlySecret } from "../../../src/domain/secret-pair.ts";
import { makeChallenge, readChallenge } from "../../../src/services/passkeys/challenge.ts";
import { bearer, call, callJson, openAccount } from "../../support/api/api.ts";
import { newPasskeyAnswer } from "../../support/api/passkey.ts";

// test/e2e/dashboard-sign-in.test.ts tests real passkeys.

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
  const added = await callJson("POST", "/passkeys", token, await newPasskeyAnswer(await options.json()));
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
  expect(await (await call("/passkeys", { headers: bearer(token) })).json()).toEqual({ passkeys: [] });
});
