import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { meterOf } from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  openAccount,
  openProAccount,
  setTier,
  type TestAccount,
  uploadOne,
} from "../../support/api/api.ts";
import { deleteImage } from "../../support/library/api.ts";
import { readStats } from "../../support/library/stats.ts";
import { png } from "../../support/media/samples.ts";
import { newViews } from "../../support/views/collected.ts";

interface Day {
  readonly date: string;
  readonly classA: number;
  readonly classB: number;
  readonly operations: number;
}

async function request(token: string, query: Record<string, string> = {}): Promise<Response> {
  return call(`/stats/operations?${new URLSearchParams(query)}`, { headers: bearer(token) });
}

async function days(token: string, query: Record<string, string> = {}): Promise<Day[]> {
  const response = await request(token, query);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json<{ days: Day[] }>()).days;
}

const DAY_MS = 86_400_000;
const date = (at: number) => new Date(at).toISOString().slice(0, 10);

let account: TestAccount;

// Three days of June, the last of them today.
beforeAll(async () => {
  vi.setSystemTime(new Date("2036-06-27T22:00:00Z"));
  account = await openAccount();
  const first = await uploadOne(account.token, { name: "a.png", bytes: png() });
  await meterOf(account.id).recordViews(newViews(7));
  vi.setSystemTime(new Date("2036-06-29T00:00:00Z"));
  await deleteImage(account.token, first._id);
  vi.setSystemTime(new Date("2036-06-30T23:59:59Z"));
  await uploadOne(account.token, { name: "b.png", bytes: png() });
  await uploadOne(account.token, { name: "c.png", bytes: png() });
  await meterOf(account.id).recordViews(newViews(13));
});

afterAll(() => {
  vi.useRealTimers();
});

describe("GET /stats/operations", () => {
  it("`GET /stats/operations` shows every day of a span, empty ones too, by class and weight", async () => {
    expect(await days(account.token, { from: "2036-06-26", to: "2036-06-30" })).toEqual([
      { date: "2036-06-26", classA: 0, classB: 0, operations: 0 },
      { date: "2036-06-27", classA: 1, classB: 0.7, operations: 1.7 },
      { date: "2036-06-28", classA: 0, classB: 0, operations: 0 },
      { date: "2036-06-29", classA: 1, classB: 0, operations: 1 },
      { date: "2036-06-30", classA: 2, classB: 1.3, operations: 3.3 },
    ]);
    expect(await days(account.token, { from: "2036-06-29", to: "2036-06-29" })).toHaveLength(1);
  });

  it("`GET /stats/operations` adds up to the month's count, by class", async () => {
    const { operations } = await readStats(account.token);
    const month = await days(account.token, { from: "2036-06-01", to: "2036-06-30" });
    const sum = (name: "classA" | "classB" | "operations") =>
      month.reduce((tenths, day) => tenths + Math.round(day[name] * 10), 0) / 10;
    expect(month).toHaveLength(30);
    expect([sum("classA"), sum("classB"), sum("operations")]).toEqual([
      operations.classA,
      operations.classB,
      operations.used,
    ]);
    expect(operations.used).toBe(6);
  });

  it("`GET /stats/operations` shows 30 days up to today, or up to the requested day", async () => {
    const shown = await days(account.token);
    expect([shown.length, shown[0]?.date, shown.at(-1)?.date]).toEqual([30, "2036-06-01", "2036-06-30"]);
    const until = await days(account.token, { to: "2036-06-27", from: "" });
    expect([until.length, until.at(-1)]).toEqual([30, { date: "2036-06-27", classA: 1, classB: 0.7, operations: 1.7 }]);
  });

  it("`GET /stats/operations` omits days more than 90 days ago and future days", async () => {
    const shown = await days(account.token, { from: "2001-01-01", to: "2999-12-31" });
    expect(shown[0]?.date).toBe(date(Date.now() - 90 * DAY_MS));
    expect(shown.at(-1)?.date).toBe("2036-06-30");
    expect(shown).toHaveLength(91);
    expect(await days(account.token, { from: "2036-07-01", to: "2036-07-02" })).toEqual([]);
    expect(await days(account.token, { to: "2035-01-01" })).toEqual([]);
  });

  it.each([
    [{ from: "2036-06-30", to: "2036-06-29" }, "from"],
    [{ from: "2036-02-30" }, "from"],
    [{ to: "yesterday" }, "to"],
    [{ to: "2036-6-1" }, "to"],
  ])("`GET /stats/operations` refuses %j", async (query, field) => {
    const response = await request(account.token, query as unknown as Record<string, string>);
    expect(response.status).toBe(400);
    const body = await response.json<{ error: string; details: object }>();
    expect([body.error, Object.keys(body.details)]).toEqual(["Invalid query parameters", [field]]);
  });

  it("`GET /stats/operations` is for every tier's own account, by key or session, at no operation", async () => {
    const pro = await openProAccount();
    for (const token of [pro.apiKey, pro.token]) {
      const shown = await days(token);
      expect(shown.every(({ operations }) => operations === 0)).toBe(true);
    }
    for (const tier of ["starter", "business", "free"] as const) {
      await setTier(account.email, tier);
      expect((await days(account.token)).at(-1)?.operations).toBe(3.3);
    }
    const refused = await request(account.uploadKey);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toEqual({
      error: "API access requires Pro or Business tier",
      code: "api_tier_required",
      statusCode: 403,
    });
  });
});
