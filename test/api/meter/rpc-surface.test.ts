import { env } from "cloudflare:test";
import { expect, it } from "vitest";

// DESIGN, Layout: the meter's methods are in several classes (src/meter/account/); what they share must not be callable.

type AnyMethod = Record<string, (...args: unknown[]) => Promise<unknown>>;

it("answers calls of methods that are inherited, and of nothing that these share", async () => {
  const meter = env.ACCOUNT_METER.getByName("nobody");
  expect(await meter.read()).toBeUndefined();
  expect(await meter.listAlerts()).toEqual([]);
  for (const shared of ["load", "openStores", "openDirectory", "timeoutMs", "books"]) {
    await expect((meter as unknown as AnyMethod)[shared]?.()).rejects.toThrow("does not implement");
  }
});
