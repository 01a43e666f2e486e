import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FAILURES_PER_ADDRESS } from "../../src/domain/log-in-limits.ts";
import { hashSecret } from "../../src/services/auth/secrets.ts";
import { bearer, call, callJson, newAddress, openAccount, type TestAccount } from "../support/api/api.ts";
import { PASSWORD, register } from "../support/api/registration.ts";

const ATTACKERS = 200;
const HOME = "198.51.100.7";

function send(method: string, path: string, address: string, body: unknown, token?: string): Promise<Response> {
  const headers = {
    "Content-Type": "application/json",
    "CF-Connecting-IP": address,
    ...(token === undefined ? {} : bearer(token)),
  };
  return call(path, { method, headers, body: JSON.stringify(body) });
}

async function logIn({ email }: { email: string }, password: string, address: string): Promise<number> {
  return (await send("POST", "/auth/login", address, { email, password })).status;
}

/** Guesses once from each of `addresses` addresses. @returns the statuses */
async function attack(account: { email: string }, addresses = ATTACKERS): Promise<number[]> {
  const statuses: number[] = [];
  for (let attacker = 0; attacker < addresses; attacker++) {
    statuses.push(await logIn(account, `guess ${attacker}`, `192.0.2.${attacker}`));
  }
  return statuses;
}

/** An account whose owner has logged in at home. */
async function openKnown(): Promise<TestAccount> {
  const account = await openAccount();
  expect(await logIn(account, account.password, HOME)).toBe(200);
  return account;
}

afterEach(() => {
  vi.useRealTimers();
});

describe("An attack from many addresses", () => {
  it("An attacker at 200 addresses does not lock the owner out at an address that has logged in before", async () => {
    const account = await openKnown();
    const statuses = await attack(account);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(11);
    expect(statuses.at(-1)).toBe(429);
    expect(await logIn(account, account.password, HOME)).toBe(200);
    // The owner may mistype during the attack, too.
    expect(await logIn(account, "mistyped password", HOME)).toBe(401);
    expect(await logIn(account, account.password, HOME)).toBe(200);
  });

  it("An address that has never logged in may try again every thirty seconds during an attack", async () => {
    const account = await openKnown();
    await attack(account, 11);
    const response = await send("POST", "/auth/login", "203.0.113.1", pick(account));
    expect(response.status).toBe(429);
    const { details } = await response.json<{ details: { retryAfter: number; reason: string } }>();
    expect(details.reason).toBe("attempts");
    expect(details.retryAfter).toBeGreaterThan(1);
    expect(details.retryAfter).toBeLessThanOrEqual(30);
    await moveClock(account.email, details.retryAfter);
    expect(await logIn(account, account.password, "203.0.113.1")).toBe(200);
    // The address has logged in now.
    await attack(account, 11);
    expect(await logIn(account, account.password, "203.0.113.1")).toBe(200);
  });

  it("An attack does not affect the owner's open sessions or the password confirmation at a known address", async () => {
    const account = await openKnown();
    await attack(account, 15);
    const change = { password: "a new long password", currentPassword: account.password };
    expect((await send("PATCH", "/account", HOME, change, account.token)).status).toBe(200);
  });

  it("The address that registered an account is not slowed down", async () => {
    const account = { email: `${crypto.randomUUID()}@example.com` };
    expect((await register({}, account, { "CF-Connecting-IP": HOME })).status).toBe(201);
    await attack(account, 15);
    expect(await logIn(account, PASSWORD, HOME)).toBe(200);
  });
});

describe("Wrong passwords", () => {
  it("Ten wrong passwords of one address for one account are refused, at known addresses too", async () => {
    const account = await openKnown();
    for (let attempt = 0; attempt < 10; attempt++) expect(await logIn(account, "wrong password", HOME)).toBe(401);
    expect(await logIn(account, account.password, HOME)).toBe(429);
    expect(await logIn(account, account.password, newAddress())).toBe(200);
  });

  it("Addresses of one IPv6 network of 64 bits are counted together", async () => {
    const account = await openAccount();
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(await logIn(account, "wrong password", `2001:db8:1:2:${attempt}::1`)).toBe(401);
    }
    const { email, password } = account;
    const same = await send("POST", "/auth/login", "2001:db8:1:2:ffff::9", { email, password });
    expect((await same.json<{ details: { retryAfter: number } }>()).details.retryAfter).toBeGreaterThan(60);
  });

  it("A hundred wrong passwords of one address for many accounts are refused", async () => {
    const address = newAddress();
    // Each hash takes a third of a second, so most are counted directly.
    const counted = 96;
    const meter = env.ADDRESS_METER.getByName(`ip:${address}`);
    for (let at = 0; at < counted; at++) expect(await meter.countOne(FAILURES_PER_ADDRESS)).toBe(0);
    const statuses: number[] = [];
    for (let at = counted; at < 101; at++) {
      const { status } = await send("POST", "/auth/login", address, { email: `${at}@example.com`, password: "wrong" });
      statuses.push(status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
    const account = await openAccount();
    expect((await callJson("PATCH", "/account", account.token, { name: "Still here" })).status).toBe(200);
    const change = { password: "a new long password", currentPassword: account.password };
    expect((await send("PATCH", "/account", address, change, account.token)).status).toBe(429);
  });

  it.each([
    ["PATCH", { password: "a new long password", currentPassword: "wrong password" }],
    ["DELETE", { password: "wrong password" }],
  ])("Wrong passwords of `%s /account` and of log-ins count together", async (method, body) => {
    const account = await openKnown();
    for (let attempt = 0; attempt < 5; attempt++) expect(await logIn(account, "wrong password", HOME)).toBe(401);
    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await send(method, "/account", HOME, body, account.token)).status).toBe(403);
    }
    expect((await send(method, "/account", HOME, body, account.token)).status).toBe(429);
    expect(await logIn(account, account.password, HOME)).toBe(429);
  });

  it("The thief of a session cannot block the owner's password confirmations", async () => {
    const account = await openKnown();
    const body = { password: "wrong password" };
    for (let attacker = 0; attacker < 15; attacker++) {
      await send("DELETE", "/account", `192.0.2.${attacker}`, body, account.token);
    }
    expect((await send("DELETE", "/account", HOME, { password: account.password }, account.token)).status).toBe(200);
  });
});

describe("The meter of an account's log-ins", () => {
  it("The meter of an account's log-ins stores digests instead of addresses, and its rows expire", async () => {
    const account = await openKnown();
    await attack(account, 30);
    const rows = await readRows(account.email);
    expect(rows.filter((row) => row.startsWith("failures:")).length).toBeLessThanOrEqual(11);
    expect(rows.filter((row) => row.startsWith("known:"))).toHaveLength(1);
    expect(rows.join()).not.toContain("198.51");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61 * 60_000 });
    await ring(account.email);
    expect((await readRows(account.email)).map((row) => row.split(":")[0])).toEqual(["known"]);
    vi.setSystemTime(Date.now() + 181 * 86_400_000);
    await ring(account.email);
    expect(await readRows(account.email)).toEqual([]);
  });

  it("The meter of an account's log-ins forgets an erased account", async () => {
    const account = await openKnown();
    expect((await send("DELETE", "/account", HOME, { password: account.password }, account.token)).status).toBe(200);
    expect(await readRows(account.email)).toEqual([]);
  });
});

function pick({ email, password }: TestAccount) {
  return { email, password };
}

async function meterOf(email: string) {
  return env.ADDRESS_METER.getByName(`login:${await hashSecret(email)}`);
}

/** Lets time pass for an account's slow-down. */
async function moveClock(email: string, seconds: number): Promise<void> {
  await runInDurableObject(await meterOf(email), (_, { storage }) => {
    storage.kv.put("strangers", (storage.kv.get<number>("strangers") ?? 0) - seconds * 1000);
  });
}

async function readRows(email: string): Promise<string[]> {
  return runInDurableObject(await meterOf(email), (_, { storage }) => [...storage.kv.list()].map(([key]) => key));
}

async function ring(email: string): Promise<void> {
  await runInDurableObject(await meterOf(email), (meter) => meter.alarm());
}
