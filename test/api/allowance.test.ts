import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { ALLOWANCE_MICRODOLLARS, CHANGE_MICRODOLLARS, previewSeconds } from "../../src/domain/allowance.ts";
import { meterOf } from "../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, uploadOne } from "../support/api/api.ts";
import { png } from "../support/media/samples.ts";

async function leave(accountId: string, left: number): Promise<void> {
  await runInDurableObject(meterOf(accountId), (_, { storage }) =>
    storage.kv.put("allowance", { left, at: Date.now() }),
  );
}

function leftOf(accountId: string): Promise<number> {
  return runInDurableObject(
    meterOf(accountId),
    (_, { storage }) => storage.kv.get<{ left: number }>("allowance")?.left ?? ALLOWANCE_MICRODOLLARS.free,
  );
}

describe("The allowance for changes", () => {
  it("A change without allowance is 429 until it fills up; reading, uploading and logging out work", async () => {
    const { id, token, uploadKey } = await openAccount();
    await leave(id, -20);
    const refused = await callJson("POST", "/folders", token, { name: "a" });
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: "rate_limited" }]);
    expect(Number(refused.headers.get("Retry-After"))).toBeLessThanOrEqual(30);
    expect((await call("/folders", { headers: bearer(token) })).status).toBe(200);
    await uploadOne(uploadKey, { name: "a.png", bytes: png() });
    expect((await callJson("POST", "/auth/logout", token, {})).status).toBeLessThan(300);
  });

  it("A change takes its price from the allowance; a request that changes many uploads takes it for each", async () => {
    const { id, token, uploadKey } = await openAccount();
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      ids.push((await uploadOne(uploadKey, { name: `${count}.png`, bytes: png(1, 1, 100 + count) }))._id);
    }
    expect(await leftOf(id)).toBe(ALLOWANCE_MICRODOLLARS.free);
    await callJson("PATCH", `/images/${ids[0]}`, token, { favorite: true });
    const before = await leftOf(id);
    expect(ALLOWANCE_MICRODOLLARS.free - before).toBeCloseTo(CHANGE_MICRODOLLARS, 0);
    expect((await callJson("POST", "/images/bulk-trash", token, { ids })).status).toBe(200);
    expect(before - (await leftOf(id))).toBeCloseTo(4 * CHANGE_MICRODOLLARS, 0);
  });
});

describe("CPU time of previews", () => {
  it("A preview is charged by its pixels before work begins, and the day's time is limited", async () => {
    const { token } = await openAccount();
    const statuses: number[] = [];
    let last: Response | undefined;
    for (let count = 0; count < 8; count++) {
      const form = new FormData();
      form.append("file", new File([png(10_000, 10_000, 3000)], "large.png"));
      last = await call("/settings/compression-preview", { method: "POST", headers: bearer(token), body: form });
      statuses.push(last.status);
    }
    // 16 seconds for each, of 120.
    expect(statuses.slice(0, 7)).not.toContain(429);
    expect([last?.status, await last?.json()]).toMatchObject([429, { code: "preview_time_exhausted" }]);
    const small = new FormData();
    small.append("file", new File([png(10, 10, 3000)], "small.png"));
    const response = await call("/settings/compression-preview", {
      method: "POST",
      headers: bearer(token),
      body: small,
    });
    expect(response.status).not.toBe(429);
  }, 60_000);

  it("An image whose header does not say its size counts as the largest", () => {
    expect(previewSeconds(0)).toBe(previewSeconds(100_000_000));
    expect(previewSeconds(1)).toBe(0.05);
  });
});
