import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { TIERS } from "../../../src/domain/tiers.ts";
import { meterOf, setUsedTenths } from "../../support/api/account-state.ts";
import { openAccount, openProAccount, setTier } from "../../support/api/api.ts";
import { waitForQuietMinute } from "../../support/api/quiet-minute.ts";

function newAddress() {
  return env.ADDRESS_METER.getByName(`ip:${crypto.randomUUID()}`);
}

type Stub = ReturnType<typeof newAddress> | ReturnType<typeof meterOf>;

/** Has an object count the rows that it writes from here on. */
async function countWrites(stub: Stub): Promise<() => Promise<number>> {
  const counted = { rows: 0 };
  await runInDurableObject(stub, (_object, { storage }) => {
    const { put } = storage.kv;
    storage.kv.put = (key, value) => {
      counted.rows += 1;
      put.call(storage.kv, key, value);
    };
  });
  return async () => counted.rows;
}

/** Sends bursts of requests, and has the object lose its memory after each. @returns how many were admitted */
async function sendBursts(stub: Stub, bursts: number, admit: () => Promise<{ outcome: string }>, size: number) {
  let admitted = 0;
  for (let burst = 0; burst < bursts; burst++) {
    const answers = await Promise.all(Array.from({ length: size }, admit));
    admitted += answers.filter(({ outcome }) => outcome === "admitted").length;
    await evictDurableObject(stub);
  }
  return admitted;
}

describe("Rate window lost with the object's memory", () => {
  it.each([
    ["free", 31, 6],
    ["free", 11, 6],
    ["free", 13, 6],
    ["pro", 113, 6],
    ["business", 311, 6],
  ] as const)(
    "A lost rate window admits an account of the tier %s at most a tenth over the limit (bursts of %i)",
    async (tier, size, bursts) => {
      await waitForQuietMinute();
      const account = await openAccount(tier);
      const meter = meterOf(account.id);
      const sessionId = JSON.parse(atob(account.token.split(".")[1] ?? "")).sid;
      const admitted = await sendBursts(meter, bursts, () => meter.admit({ kind: "session", sessionId }), size);
      const limit = TIERS[tier].requestsPerMinute;
      expect(admitted).toBeGreaterThanOrEqual(Math.min(limit, size * bursts));
      expect(admitted).toBeLessThanOrEqual(limit * 1.1);
    },
  );

  it("A lost window admits an address at most a tenth over the limit", async () => {
    await waitForQuietMinute();
    const address = newAddress();
    const admitted = await sendBursts(address, 6, () => address.admit(600), 151);
    expect(admitted).toBeGreaterThanOrEqual(600);
    expect(admitted).toBeLessThanOrEqual(660);
  });

  it("A lost window is exact if the limit is small", async () => {
    await waitForQuietMinute();
    const { id, apiKeyId } = await openProAccount();
    await setUsedTenths(id, TIERS.pro.operationsPerMonth * 10);
    const meter = meterOf(id);
    const credential = { kind: "key", keyId: apiKeyId, keyKind: "api" } as const;
    expect(await sendBursts(meter, 10, () => meter.admit(credential), 7)).toBe(30);
  });

  it("The window is written less than once in two requests, and fifty times a minute at most", async () => {
    await waitForQuietMinute();
    const [few, many] = [newAddress(), newAddress()];
    const [writesOfFew, writesOfMany] = [await countWrites(few), await countWrites(many)];
    for (let i = 0; i < 12; i++) await few.admit(600);
    await Promise.all(Array.from({ length: 700 }, () => many.admit(600)));
    expect(await writesOfFew()).toBe(0);
    expect(await writesOfMany()).toBeGreaterThan(0);
    expect(await writesOfMany()).toBeLessThanOrEqual(50);
  });

  it("The window resets with the next minute", async () => {
    const address = newAddress();
    for (let i = 0; i < 60; i++) await address.admit(60);
    await runInDurableObject(address, (_object, { storage: { kv } }) => {
      const window = kv.get<{ startsAt: number; count: number }>("rate-window");
      kv.put("rate-window", { startsAt: (window?.startsAt ?? 0) - 60_000, count: 60 });
    });
    await evictDurableObject(address);
    expect(await address.admit(60)).toMatchObject({ outcome: "admitted", rate: { remaining: 59 } });
  });
});

describe("Rows of an address", () => {
  const keys = (address: Stub) =>
    runInDurableObject(address, (_object, { storage: { kv } }) => [...kv.list()].map(([key]) => key));

  it("The alarm removes an address's rows when they have expired, not before", async () => {
    const address = newAddress();
    await Promise.all(Array.from({ length: 100 }, () => address.admit(600)));
    expect(await address.countOne({ count: 5, windowSeconds: 60 })).toBe(0);
    await runDurableObjectAlarm(address);
    expect((await keys(address)).sort()).toEqual(["attempts", "rate-window"]);
    await runInDurableObject(address, (_object, { storage: { kv } }) => {
      kv.put("rate-window", { startsAt: 0, count: 100 });
      kv.put("attempts", { count: 1, endsAt: 1 });
    });
    expect(await runDurableObjectAlarm(address)).toBe(true);
    expect(await keys(address)).toEqual([]);
    expect(await runDurableObjectAlarm(address)).toBe(false);
  });
});

describe("Last use of a key", () => {
  it("A key's last use is written once a minute, even if the object loses its memory", async () => {
    const account = await openProAccount();
    const meter = meterOf(account.id);
    const credential = { kind: "key", keyId: account.apiKeyId, keyKind: "api" } as const;
    const before = Date.now();
    await meter.admit(credential);
    const { [account.apiKeyId]: first = 0 } = await meter.keyUses();
    expect(first).toBeGreaterThanOrEqual(before);
    for (let wake = 0; wake < 3; wake++) {
      await evictDurableObject(meter);
      await meter.admit(credential);
    }
    expect((await meter.keyUses())[account.apiKeyId]).toBe(first);
    await runInDurableObject(meter, (_object, { storage: { sql } }) => {
      sql.exec("UPDATE key_uses SET used_at = used_at - 60000");
    });
    await evictDurableObject(meter);
    await meter.admit(credential);
    expect((await meter.keyUses())[account.apiKeyId]).toBeGreaterThanOrEqual(first);
  });
});

describe("Over the month's operations", () => {
  it("A key has a tenth of the rate over the month's operations, and a session the whole rate", async () => {
    await waitForQuietMinute();
    const account = await openProAccount();
    await setUsedTenths(account.id, TIERS.pro.operationsPerMonth * 10);
    await setTier(account.email, "pro");
    const meter = meterOf(account.id);
    const key = { kind: "key", keyId: account.apiKeyId, keyKind: "api" } as const;
    const sessionId = JSON.parse(atob(account.token.split(".")[1] ?? "")).sid;
    expect(await meter.admit({ kind: "session", sessionId })).toMatchObject({ rate: { limit: 300 } });
    const answers = await Promise.all(Array.from({ length: 31 }, () => meter.admit(key)));
    expect(answers.filter(({ outcome }) => outcome === "admitted")).toHaveLength(29);
    expect(answers.at(-1)).toMatchObject({ outcome: "limited", rate: { limit: 30, remaining: 0 } });
    expect(await meter.admit({ kind: "session", sessionId })).toMatchObject({ outcome: "admitted" });
  });
});
