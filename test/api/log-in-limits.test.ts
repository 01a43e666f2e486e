import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  type CountLimit,
  NEW_DEVICE_MAILS,
  PASSKEYS_PER_ADDRESS,
  PASSWORD_CHANGES,
  TRIES_PER_ACCOUNT_AND_ADDRESS,
  TRIES_PER_ADDRESS,
} from "../../src/domain/log-in-limits.ts";
import { hashSecret } from "../../src/services/auth/secrets.ts";
import { bearer, call, newAddress, openAccount, type TestAccount } from "../support/api/api.ts";
import { waitForQuietMinute } from "../support/api/quiet-minute.ts";
import { callWith } from "../support/api/registration.ts";

/** The stored count of an object. */
async function readCount(meter: string, key: string): Promise<number | undefined> {
  return runInDurableObject(
    env.ADDRESS_METER.getByName(meter),
    (_, { storage }) => storage.kv.get<{ count: number }>(key)?.count,
  );
}

/** Stores a count that allows one more action. Each password takes a third of a second, so most are not tried. */
async function leaveOne(meter: string, key: string, { count, windowSeconds }: CountLimit): Promise<void> {
  await runInDurableObject(env.ADDRESS_METER.getByName(meter), (_, { storage }) => {
    storage.kv.put(key, { count: count - 1, endsAt: Date.now() + windowSeconds * 1000 });
  });
}

async function send(method: string, path: string, address: string, body: unknown, token?: string) {
  const headers = {
    "Content-Type": "application/json",
    "CF-Connecting-IP": address,
    ...(token === undefined ? {} : bearer(token)),
  };
  const response = await call(path, { method, headers, body: JSON.stringify(body) });
  const { code } = await response.json<{ code?: string }>();
  return { status: response.status, code, retryAfter: Number(response.headers.get("Retry-After")) };
}

function logIn({ email, password }: TestAccount, address: string) {
  return send("POST", "/auth/login", address, { email, password });
}

const TOO_MANY = { status: 429, code: "too_many_attempts" };

async function leaveOneForAccount({ email }: TestAccount, address: string): Promise<void> {
  const digest = await hashSecret(`${email} ${address}`);
  await leaveOne(`login:${await hashSecret(email)}`, `tries:${digest}`, TRIES_PER_ACCOUNT_AND_ADDRESS);
}

const WRONG_PASSKEY = {
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  clientExtensionResults: {},
  response: { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "AAAA" },
};

describe("The right password", () => {
  it("An address may try an account's password sixty times an hour, right or wrong", async () => {
    const account = await openAccount();
    const address = newAddress();
    expect(await logIn(account, address)).toMatchObject({ status: 200 });
    await leaveOneForAccount(account, address);
    expect(await logIn(account, address)).toMatchObject({ status: 200 });
    const refused = await logIn(account, address);
    expect(refused).toMatchObject(TOO_MANY);
    expect(refused.retryAfter).toBeGreaterThan(3500);
    expect(refused.retryAfter).toBeLessThanOrEqual(3600);
    expect(await logIn(account, newAddress())).toMatchObject({ status: 200 });
  });

  it("An address may try two hundred passwords of all accounts in fifteen minutes", async () => {
    const [one, other] = [await openAccount(), await openAccount()];
    const address = newAddress();
    await leaveOne(`ip:${address}`, "tries", TRIES_PER_ADDRESS);
    expect(await logIn(one, address)).toMatchObject({ status: 200 });
    expect(await logIn(other, address)).toMatchObject(TOO_MANY);
    expect(await logIn(other, newAddress())).toMatchObject({ status: 200 });
  });

  it("A log-in that the account's meter refuses is no try of its address", async () => {
    const account = await openAccount();
    const address = newAddress();
    await leaveOneForAccount(account, address);
    expect(await logIn(account, address)).toMatchObject({ status: 200 });
    expect(await logIn(account, address)).toMatchObject(TOO_MANY);
    expect(await readCount(`ip:${address}`, "tries")).toBe(1);
  });

  it("A log-in that the address's meter refuses is no try of the account", async () => {
    const account = await openAccount();
    const address = newAddress();
    await leaveOne(`ip:${address}`, "tries", TRIES_PER_ADDRESS);
    expect(await logIn(account, address)).toMatchObject({ status: 200 });
    expect(await logIn(account, address)).toMatchObject(TOO_MANY);
    const [meter, digest] = [await hashSecret(account.email), await hashSecret(`${account.email} ${address}`)];
    expect(await readCount(`login:${meter}`, `tries:${digest}`)).toBe(1);
  });

  it("A log-in beyond the address's minute is no try of the account", async () => {
    const account = await openAccount();
    const address = newAddress();
    const headers = { "Content-Type": "application/json", "CF-Connecting-IP": address };
    const body = JSON.stringify({ email: account.email, password: account.password });
    const send = () => callWith({ ADDRESS_RATE_PER_MINUTE: "1" }, "/auth/login", { method: "POST", headers, body });
    await waitForQuietMinute(10_000);
    const [first, second] = await Promise.all([send(), send()]);
    expect([first.status, second.status].sort()).toEqual([200, 429]);
    const [meter, digest] = [await hashSecret(account.email), await hashSecret(`${account.email} ${address}`)];
    expect(await readCount(`login:${meter}`, `tries:${digest}`)).toBe(1);
  });

  it.each([
    ["POST", "/auth/reauthenticate", (password: string) => ({ password })],
    ["PATCH", "/account", (password: string) => ({ password: "a new long password", currentPassword: password })],
    ["DELETE", "/account", (password: string) => ({ password: `not ${password}` })],
  ])("A password of `%s %s` counts like one of a log-in", async (method, path, body) => {
    const account = await openAccount();
    const address = newAddress();
    await leaveOneForAccount(account, address);
    expect(await logIn(account, address)).toMatchObject({ status: 200 });
    expect(await send(method, path, address, body(account.password), account.token)).toMatchObject(TOO_MANY);
  });

  it("An account's password may be changed ten times an hour", async () => {
    const account = await openAccount();
    await leaveOne(`password-change:${account.id}`, "attempts", PASSWORD_CHANGES);
    const change = (from: string, to: string) =>
      send("PATCH", "/account", newAddress(), { password: to, currentPassword: from }, account.token);
    expect(await change(account.password, "a new long password")).toMatchObject({ status: 200 });
    expect(await change("a new long password", "another long password")).toMatchObject(TOO_MANY);
  });
});

describe("Log-ins by passkey", () => {
  it("An address may log in by passkey a hundred times in fifteen minutes", async () => {
    const address = newAddress();
    await leaveOne(`passkey:${address}`, "attempts", PASSKEYS_PER_ADDRESS);
    expect(await send("POST", "/auth/passkey", address, WRONG_PASSKEY)).toMatchObject({ code: "passkey_refused" });
    expect(await send("POST", "/auth/passkey", address, WRONG_PASSKEY)).toMatchObject(TOO_MANY);
  });

  it("Passwords never refuse a passkey", async () => {
    const address = newAddress();
    const account = await openAccount();
    await leaveOne(`ip:${address}`, "tries", TRIES_PER_ADDRESS);
    await logIn(account, address);
    expect(await logIn(account, address)).toMatchObject(TOO_MANY);
    expect(await send("POST", "/auth/passkey", address, WRONG_PASSKEY)).toMatchObject({ code: "passkey_refused" });
  });
});

it("An account gets at most twenty mails a day about new devices", async () => {
  const { id, email, password } = await openAccount();
  await leaveOne(`new-device:${id}`, "attempts", NEW_DEVICE_MAILS);
  let mails = 0;
  const MAILS = { send: async () => void mails++ } as unknown as string;
  for (const device of ["curl/8.11.0", "Wget/1.25", "HTTPie/3.2"]) {
    const headers = { "Content-Type": "application/json", "User-Agent": device, "CF-Connecting-IP": newAddress() };
    const body = JSON.stringify({ email, password });
    const vars = { MAIL_FROM: "host@media.example", RESEND_API_KEY: "re_123", MAILS };
    expect((await callWith(vars, "/auth/login", { method: "POST", headers, body })).status).toBe(200);
  }
  expect(mails).toBe(1);
});
