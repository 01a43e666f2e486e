import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { listAlerts, openAlerted, ringAlarm, takeQueue, usePercent, view } from "../../support/alerts/alerts.ts";
import { meterOf, restoreStores, setUsedTenths } from "../../support/api/account-state.ts";
import { bearer, call, openAccount, setTier, uploadOne } from "../../support/api/api.ts";
import { png } from "../../support/media/samples.ts";

const thresholds = async (account: Parameters<typeof listAlerts>[0]) =>
  (await listAlerts(account)).map(({ threshold }) => threshold);

describe("Usage alerts", () => {
  it("A usage alert is raised at 50, 80, 90 and 100 % of the month's operations, once each", async () => {
    const account = await openAlerted();
    for (const percent of [49.9, 50, 50, 79.9, 80, 85, 90, 99.9, 100, 120]) await usePercent(account, percent);
    const alerts = await listAlerts(account);
    expect(alerts.map(({ threshold, percent }) => [threshold, percent])).toEqual([
      [100, 100],
      [90, 90],
      [80, 80],
      [50, 50],
    ]);
    expect(alerts[3]).toEqual({
      _id: expect.stringMatching(/^[0-9a-z]{26}$/),
      threshold: 50,
      percent: 50,
      used: 500_000,
      limit: 1_000_000,
      resetAt: expect.stringMatching(/T00:00:00\.000Z$/),
      createdAt: expect.stringMatching(/Z$/),
      deliveries: { webhook: null, email: null },
    });
  });

  it("A usage alert of 100 % is not raised before the last operation is used", async () => {
    const account = await openAlerted("business");
    await setUsedTenths(account.id, 49_999_989);
    await takeQueue(account.id, account.queue);
    await view(account.id);
    expect(await listAlerts(account)).toMatchObject([
      { threshold: 90, used: 4_999_999, limit: 5_000_000, percent: 99.99 },
    ]);
  });

  it("Only the highest of several usage alerts that are reached at once is raised; the lower ones never follow", async () => {
    const account = await openAlerted();
    await setUsedTenths(account.id, 1000);
    // A minute's views in one call.
    await view(account.id, 10);
    expect(await thresholds(account)).toEqual([]);
    await usePercent(account, 95);
    await usePercent(account, 60);
    await usePercent(account, 85);
    expect(await thresholds(account)).toEqual([90]);
  });

  it("A usage alert is raised by an upload in the same way as by a view", async () => {
    const account = await openAlerted();
    await setUsedTenths(account.id, 5_000_000 - 10);
    await takeQueue(account.id, account.queue);
    await uploadOne(account.token, { name: "a.png", bytes: png() });
    expect(await thresholds(account)).toEqual([50]);
  });

  it("A usage alert is raised once by many requests at the same time", async () => {
    const account = await openAlerted();
    await setUsedTenths(account.id, 5_000_000 - 20);
    await takeQueue(account.id, account.queue);
    await Promise.all(Array.from({ length: 40 }, () => view(account.id)));
    expect(await thresholds(account)).toEqual([50]);
  });

  it("A usage alert is kept if the object is reset after the operation, and is not raised again", async () => {
    const account = await openAlerted();
    await usePercent(account, 80);
    await restoreStores(account.id);
    await view(account.id);
    expect(await thresholds(account)).toEqual([80]);
  });

  it("A usage alert is raised if a lower tier reduces the limit, not if a higher one raises it", async () => {
    const account = await openAlerted("business");
    await usePercent(account, 17, "business");
    expect(await thresholds(account)).toEqual([]);
    await setTier(account.email, "pro");
    expect(await thresholds(account)).toEqual([80]);
    await setTier(account.email, "business");
    expect(await thresholds(account)).toEqual([80]);
  });

  it("A usage alert is raised again in the next month, but not by the month's start", async () => {
    const account = await openAlerted();
    await usePercent(account, 90);
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
      const monthMs = 31 * 86_400_000;
      storage.sql.exec(
        "UPDATE account SET period_ends_at = ?, period_starts_at = period_starts_at - ?",
        Date.now() - 1,
        monthMs,
      );
      storage.sql.exec("UPDATE alert_mark SET month_starts_at = month_starts_at - ?", monthMs);
    });
    await restoreStores(account.id);
    await takeQueue(account.id, account.queue);
    await view(account.id);
    expect(await thresholds(account)).toEqual([90]);
    await usePercent(account, 50);
    expect(await thresholds(account)).toEqual([50, 90]);
  });

  it("A usage alert is never raised on Free and Starter, and the list is 403", async () => {
    for (const tier of ["free", "starter"] as const) {
      const account = await openAlerted(tier);
      await usePercent(account, 100, tier);
      const response = await call("/alerts", { headers: bearer(account.token) });
      expect([response.status, await response.json()]).toEqual([
        403,
        { error: "API access requires Pro or Business tier", code: "api_tier_required", statusCode: 403 },
      ]);
      await setTier(account.email, "business");
      expect(await thresholds(account)).toEqual([]);
    }
  });

  it("A usage alert is deleted after a year, when the next alert is raised", async () => {
    const account = await openAlerted();
    await usePercent(account, 50);
    await runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
      storage.sql.exec("UPDATE alerts SET at = ?", Date.now() - 397 * 86_400_000);
    });
    await usePercent(account, 80);
    expect(await thresholds(account)).toEqual([80]);
  });

  it("A usage alert of an account without a webhook has no delivery", async () => {
    const account = await openAlerted();
    await usePercent(account, 50);
    expect(await ringAlarm(account)).toEqual([]);
  });
});

it("An alarm set in a transaction is rolled back with it, so it is also committed with it", async () => {
  const { id } = await openAccount("pro");
  await meterOf(id).read();
  await runInDurableObject(meterOf(id), async (_meter, { storage }) => {
    await storage.deleteAlarm();
    const set = () =>
      storage.transactionSync(() => {
        void storage.setAlarm(Date.now() + 60_000);
        throw new Error("undone");
      });
    expect(set).toThrow("undone");
    expect(await storage.getAlarm()).toBeNull();
  });
});

it("An account older than alerts keeps working, and gets alerts from now on", async () => {
  const account = await openAccount("pro");
  await runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
    for (const table of ["alert_mark", "alerts", "alert_deliveries", "webhooks", "event_pages"])
      storage.sql.exec(`DROP TABLE ${table}`);
    storage.sql.exec("UPDATE account SET used_tenths = ?", 8_000_000);
  });
  await restoreStores(account.id);
  expect(await thresholds(account)).toEqual([]);
  await view(account.id);
  expect(await thresholds(account)).toEqual([80]);
});
