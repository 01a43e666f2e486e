import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TIERS } from "../../../src/domain/tiers.ts";
import { expireIntents, meterOf, readMeter, restoreStores, setUsedTenths } from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  createApiKey,
  openAccount,
  setTier,
  type TestAccount,
  upload,
  uploadOne,
} from "../../support/api/api.ts";
import { readStats } from "../../support/library/stats.ts";
import { png } from "../../support/media/samples.ts";
import { newViews } from "../../support/views/collected.ts";

// Ids only grow, and sessions end: every test opens its account in its own time, later than the test before.
let year = 2040;

function at(date: string): number {
  return Date.parse(`${year}-${date.includes("T") ? date : `${date}T12:00:00.000`}Z`);
}

function setClock(date: string): void {
  vi.setSystemTime(at(date));
}

/** An account that is opened at noon of a day, of a new year. */
async function openOn(date: string, tier: "free" | "starter" | "pro" | "business" = "free"): Promise<TestAccount> {
  year += 4;
  setClock(date);
  return openAccount(tier);
}

async function month(account: TestAccount) {
  const figures = await meterOf(account.id).read();
  return {
    used: (figures?.operationsUsedTenths ?? 0) / 10,
    resetAt: new Date(figures?.operationsResetAt ?? 0).toISOString().slice(5, 10),
  };
}

const store = (account: TestAccount) => uploadOne(account.token, { name: "a.png", bytes: png() });
const view = (account: TestAccount, count: number) => meterOf(account.id).recordViews(newViews(count));

afterEach(() => {
  vi.useRealTimers();
});

describe("Month of a tier", () => {
  it("The month of Free is the calendar's, to the millisecond", async () => {
    const account = await openOn("01-17");
    await view(account, 20);
    expect(await month(account)).toEqual({ used: 2, resetAt: "02-01" });
    setClock("01-31T23:59:59.999");
    expect(await month(account)).toEqual({ used: 2, resetAt: "02-01" });
    setClock("02-01T00:00:00.000");
    expect(await month(account)).toEqual({ used: 0, resetAt: "03-01" });
  });

  it("The month ends on a short month's last day, and on the billing day again afterwards", async () => {
    const account = await openOn("01-31", "pro");
    // 2044 and every fourth year after it is a leap year.
    const resets: string[] = [];
    for (const date of ["01-31", "02-28T23:59:59.999", "02-29T00:00", "03-31T00:00", "04-30T00:00", "11-30T00:00"]) {
      setClock(date);
      resets.push((await month(account)).resetAt);
      await view(account, 10);
      expect((await month(account)).used).toBeGreaterThanOrEqual(1);
    }
    expect(resets).toEqual(["02-29", "02-29", "03-31", "04-30", "05-31", "12-31"]);
  });

  it("The month of an account that subscribed on a leap day ends on the 28th in other years", async () => {
    const account = await openOn("02-29", "business");
    expect((await month(account)).resetAt).toBe("03-29");
    year += 1;
    setClock("02-27");
    expect((await month(account)).resetAt).toBe("02-28");
    setClock("02-28T00:00");
    expect((await month(account)).resetAt).toBe("03-29");
    year -= 1;
  });

  it("The month changes during requests: refused to its last millisecond, then admitted", async () => {
    const account = await openOn("03-10");
    await setUsedTenths(account.id, TIERS.free.operationsPerMonth * 10);
    setClock("03-31T23:59:59.500");
    const response = await upload(account.uploadKey, [{ name: "a.png", bytes: png() }]);
    expect(response.status).toBe(429);
    const { details } = await response.json<{ details: object }>();
    expect(details).toEqual({ reason: "operations", retryAfter: 1 });
    expect(response.headers.get("Retry-After")).toBe("1");
    setClock("04-01T00:00:00.000");
    expect((await upload(account.uploadKey, [{ name: "a.png", bytes: png() }])).status).toBe(201);
    expect(await month(account)).toEqual({ used: 1, resetAt: "05-01" });
  });

  it("The month counts an operation reserved before it and settled in it, once", async () => {
    const account = await openOn("05-31T23:59:59.000");
    const meter = meterOf(account.id);
    await store(account);
    const intent = { kind: "upload", uploadId: "late", objectKey: `uploads/${account.id}/late`, keyId: null } as const;
    await meter.reserve(intent, 5, 5);
    expect((await month(account)).used).toBe(1);
    setClock("06-01T00:00:01");
    const settled = [{ uploadId: "late", sizeBytes: 5 }];
    expect((await meter.settleUploads(settled)).missing).toEqual([]);
    expect((await meter.settleUploads(settled)).missing).toEqual([]);
    expect(await month(account)).toEqual({ used: 1, resetAt: "07-01" });
    const [logged] = (await readMeter(account.id)).operations.filter(({ id }) => id === "upload:late");
    expect(logged?.at).toBe(at("06-01T00:00:01"));
    expect(await daysOf(account, "05-31", "06-01")).toEqual([1, 1]);
    // A reversal is subtracted from the day that counted it.
    await meter.release(["late"]);
    expect(await daysOf(account, "05-31", "06-01")).toEqual([1, 0]);
    expect((await month(account)).used).toBe(0);
  });

  it("The month counts a view on arrival, and the log lists it at its own time", async () => {
    const account = await openOn("08-31T23:59:30");
    const [views, made] = [newViews(3), Date.now()];
    setClock("09-01T00:00:20");
    await meterOf(account.id).recordViews(views);
    expect((await month(account)).used).toBe(0.3);
    expect(await daysOf(account, "08-31", "09-01")).toEqual([0, 0.3]);
    const { operations } = await readMeter(account.id);
    for (const { at: loggedAt } of operations) expect(loggedAt).toBe(made);
  });

  it("The month does not begin a second time on a machine whose clock is an hour behind", async () => {
    const account = await openOn("10-31T23:10");
    await view(account, 10);
    setClock("11-01T00:05");
    await view(account, 20);
    setClock("10-31T23:05");
    await restoreStores(account.id);
    await view(account, 30);
    await store(account);
    expect(await month(account)).toEqual({ used: 6, resetAt: "12-01" });
    setClock("11-01T00:30");
    expect(await month(account)).toEqual({ used: 6, resetAt: "12-01" });
    expect(await daysOf(account, "10-31", "11-01")).toEqual([1, 6]);
    setClock("12-01T00:00");
    expect(await month(account)).toEqual({ used: 0, resetAt: "01-01" });
  });
});

async function daysOf(account: TestAccount, from: string, to: string): Promise<number[]> {
  const query = new URLSearchParams({ from: `${year}-${from}`, to: `${year}-${to}` });
  const response = await call(`/stats/operations?${query}`, { headers: bearer(account.token) });
  expect(response.status).toBe(200);
  const { days } = await response.json<{ days: { operations: number }[] }>();
  return days.map(({ operations }) => operations);
}

describe("Tier changes", () => {
  it("A tier change applies to the next request: rate, limits and accepted keys", async () => {
    const account = await openOn("02-10");
    await setTier(account.email, "pro");
    const { key } = await createApiKey(account.token);
    const ask = async (token: string) => {
      const response = await call("/images", { headers: bearer(token) });
      return [response.status, response.headers.get("X-RateLimit-Limit"), response.headers.get("X-Operations-Limit")];
    };
    expect(await ask(key)).toEqual([200, "300", "1000000"]);
    await setTier(account.email, "business");
    expect(await ask(key)).toEqual([200, "1000", "5000000"]);
    await setTier(account.email, "starter");
    expect((await ask(key))[0]).toBe(401);
    expect(await ask(account.token)).toEqual([200, "120", "100000"]);
  });

  it("A tier change lifts an exceeded limit or enforces a lower one at once", async () => {
    const account = await openOn("02-10");
    await setUsedTenths(account.id, TIERS.free.operationsPerMonth * 10);
    const send = async () => (await upload(account.token, [{ name: "a.png", bytes: png() }])).status;
    expect(await send()).toBe(429);
    await setTier(account.email, "starter");
    expect(await send()).toBe(201);
    await setTier(account.email, "free");
    expect(await send()).toBe(429);
  });

  it("A tier change from Free continues the count until the billing day in the next month", async () => {
    const account = await openOn("11-05");
    await view(account, 30);
    setClock("11-21");
    await setTier(account.email, "pro");
    await view(account, 10);
    expect(await month(account)).toEqual({ used: 4, resetAt: "12-21" });
    setClock("12-21T00:00");
    await setTier(account.email, "business");
    expect(await month(account)).toEqual({ used: 0, resetAt: "01-21" });
  });

  it("A tier change to Free begins no month within a month", async () => {
    const account = await openOn("01-20", "pro");
    setClock("02-20");
    await view(account, 50);
    setClock("02-28");
    await setTier(account.email, "free");
    expect(await month(account)).toEqual({ used: 5, resetAt: "04-01" });
    setClock("03-01");
    await setTier(account.email, "pro");
    expect(await month(account)).toEqual({ used: 5, resetAt: "04-01" });
    setClock("04-01T00:00");
    expect(await month(account)).toEqual({ used: 0, resetAt: "05-01" });
  });

  it("A tier change to a calendar month that has begun since counts only its operations", async () => {
    const account = await openOn("11-05");
    await view(account, 70);
    setClock("11-21");
    await setTier(account.email, "pro");
    await view(account, 30);
    setClock("12-03");
    await view(account, 20);
    const intent = { kind: "upload", uploadId: "paid", objectKey: `uploads/${account.id}/paid`, keyId: null } as const;
    await meterOf(account.id).reserve(intent, 5, 5);
    await meterOf(account.id).settleUploads([{ uploadId: "paid", sizeBytes: 5 }]);
    setClock("12-04");
    await view(account, 10);
    expect(await month(account)).toEqual({ used: 14, resetAt: "12-21" });
    await setTier(account.email, "free");
    expect(await month(account)).toEqual({ used: 4, resetAt: "01-01" });
    expect((await meterOf(account.id).read())?.classBTenths).toBe(30);
  });

  it("Tier changes in any order never begin two months within one, and days add up to the month", async () => {
    const account = await openOn("01-01");
    const tiers = ["free", "starter", "pro", "business"] as const;
    let state = 7;
    const random = (below: number) => {
      state = (state * 16_807) % 2_147_483_647;
      return state % below;
    };
    let [total, resets, lastBeganAt] = [0, 0, 0];
    const [firstAt, dayMs] = [at("01-01"), 86_400_000];
    for (let day = 0; day < 400; day += random(4)) {
      vi.setSystemTime(firstAt + day * dayMs + random(dayMs));
      const [action, count] = [random(3), 1 + random(9)];
      if (action === 0) {
        const tier = tiers[random(4)] ?? "free";
        const billingAnchorAt = tier === "free" ? null : Date.now() - random(2) * 40 * dayMs;
        await meterOf(account.id).setTier({ tier, billingAnchorAt, uploadKey: null });
      } else {
        await view(account, count);
        total += count;
      }
      const row = await runInDurableObject(meterOf(account.id), (_meter, { storage: { sql } }) =>
        sql
          .exec<{ s: number; e: number; u: number }>(
            "SELECT period_starts_at AS s, period_ends_at AS e, used_tenths AS u FROM account",
          )
          .one(),
      );
      const days = await meterOf(account.id).listOperationDays(0, 1e6);
      const sum = (from: number) =>
        days
          .filter((each) => each.day * dayMs >= from)
          .reduce((all, each) => all + each.classATenths + each.classBTenths, 0);
      // No operation is forgotten, and none is counted twice.
      expect(sum(0)).toBe(total);
      expect(row.u).toBe(sum(row.s));
      expect(row.e).toBeGreaterThan(Date.now());
      expect(row.s).toBeLessThanOrEqual(Date.now());
      if (row.s !== lastBeganAt) {
        if (lastBeganAt !== 0) expect(row.s - lastBeganAt).toBeGreaterThanOrEqual(28 * dayMs);
        [lastBeganAt, resets] = [row.s, resets + 1];
      }
    }
    expect(resets).toBeGreaterThan(5);
  });
});

describe("Objects without days", () => {
  it("An object without recorded days keeps its count, on the month's first day", async () => {
    const account = await openOn("06-15");
    await store(account);
    await view(account, 5);
    await runInDurableObject(meterOf(account.id), (_meter, { storage: { sql } }) => {
      for (const name of ["period_starts_at", "day", "day_a_tenths", "day_b_tenths"]) {
        sql.exec(`ALTER TABLE account DROP COLUMN ${name}`);
      }
      sql.exec("DROP TABLE operation_days");
    });
    await restoreStores(account.id);
    setClock("06-16");
    expect(await month(account)).toEqual({ used: 1.5, resetAt: "07-01" });
    await view(account, 5);
    const days = await daysOf(account, "06-01", "06-16");
    expect([days[0], days[15], days.length]).toEqual([1.5, 0.5, 16]);
    expect((await readStats(account.token)).operations.used).toBe(2);
  });
});

describe("Past days", () => {
  it("Past days are forgotten after 90 days, with the log", async () => {
    const account = await openOn("01-02");
    await view(account, 10);
    setClock("04-05");
    await view(account, 10);
    await expireIntents(account.id);
    const days = () => meterOf(account.id).listOperationDays(0, 1e6);
    expect(await days()).toHaveLength(2);
    await runInDurableObject(meterOf(account.id), (meter) => meter.alarm());
    expect(await days()).toHaveLength(1);
  });
});
