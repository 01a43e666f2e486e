import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import {
  meterOf,
  readMeter,
  replaceStores,
  restoreStores,
  setStorageBytes,
  setUsedTenths,
  usageOf,
} from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  openAccount,
  openProAccount,
  setTier,
  type TestAccount,
  upload,
  uploadOne,
} from "../../support/api/api.ts";
import { failingDatabases } from "../../support/api/databases.ts";
import { waitForQuietMinute } from "../../support/api/quiet-minute.ts";
import { png } from "../../support/media/samples.ts";

const DAY_MS = 86_400_000;
const GB = 1024 ** 3;

async function inStore(accountId: string, ...statements: [string, ...(string | number | null)[]][]): Promise<void> {
  await meterOf(accountId).read();
  await runInDurableObject(meterOf(accountId), (_meter, { storage }) => {
    for (const [statement, ...values] of statements) storage.sql.exec(statement, ...values);
  });
  await restoreStores(accountId);
}

function intent(uploadId: string) {
  return { kind: "upload", uploadId, objectKey: `uploads/x/${uploadId}`, keyId: null } as const;
}

function list(account: TestAccount): Promise<Response> {
  return call("/images", { headers: bearer(account.token) });
}

describe("Reserved storage", () => {
  it("Reserved storage is the wanted size, or all free storage of at least the minimum", async () => {
    const account = await openAccount();
    await setStorageBytes(account.id, GB - 1000);
    const meter = meterOf(account.id);
    expect(await meter.reserve(intent("a"), 1001, 5000)).toMatchObject({ outcome: "storage-full" });
    expect(await meter.reserve(intent("a"), 100, 400)).toMatchObject({ outcome: "reserved", reservedBytes: 400 });
    expect(await meter.reserve(intent("b"), 600, 5000)).toMatchObject({ outcome: "reserved", reservedBytes: 600 });
    expect(await meter.reserve(intent("c"), 1, 1)).toMatchObject({ outcome: "storage-full" });
    await meter.release(["b"]);
    expect(await meter.reserve(intent("c"), 1, 600)).toMatchObject({ outcome: "reserved", reservedBytes: 600 });
    await meter.shrink("c", 100);
    expect(await meter.reserve(intent("d"), 500, 500)).toMatchObject({ outcome: "reserved", reservedBytes: 500 });
    // A settled or unknown upload cannot be grown or brought back.
    await meter.shrink("c", 600);
    await meter.shrink("unknown", 1);
    await meter.renew(["unknown"], { uploadId: "unknown", multipartUploadId: "x" });
    await meter.release(["unknown"]);
    const { intents, storageBytes } = await readMeter(account.id);
    expect(intents.map(({ id, reserved_bytes }) => [id, reserved_bytes])).toEqual([
      ["upload:a", 400],
      ["upload:c", 100],
      ["upload:d", 500],
    ]);
    expect(storageBytes).toBe(GB - 1000);
  });

  it("Reserved storage survives the object's eviction", async () => {
    const account = await openAccount();
    await meterOf(account.id).reserve(intent("a"), GB, GB);
    await restoreStores(account.id);
    expect(await meterOf(account.id).reserve(intent("b"), 1, 1)).toMatchObject({ outcome: "storage-full" });
  });

  it("An unknown account gets no reservation", async () => {
    const meter = meterOf("01hzy3v7k9q4r5s6t7v8w9x0ya");
    expect(await meter.reserve(intent("a"), 1, 1)).toEqual({ outcome: "refused" });
    expect(await meter.read()).toBeUndefined();
    expect((await meter.settleUploads([{ uploadId: "a", sizeBytes: 1 }])).missing).toEqual(["a"]);
  });
});

describe("Operations of the month", () => {
  it("The month's operations reset when the month ends, and only then", async () => {
    const account = await openAccount();
    await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 700) });
    expect(usageOf(await list(account))).toEqual({ storage: 700, operations: 1 });
    await inStore(account.id, ["UPDATE account SET period_ends_at = ?", Date.now() - 1]);
    expect(usageOf(await list(account))).toEqual({ storage: 700, operations: 0 });
    const now = new Date();
    const figures = await meterOf(account.id).read();
    expect(figures?.operationsResetAt).toBe(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    const response = await upload(account.token, [{ name: "b.png", bytes: png() }]);
    expect(usageOf(response).operations).toBe(1);
  });

  it("The month's operations continue under another tier, with its limits", async () => {
    const account = await openAccount();
    await uploadOne(account.token, { name: "a.png", bytes: png() });
    await setTier(account.email, "business");
    const response = await list(account);
    expect(usageOf(response).operations).toBe(1);
    expect(response.headers.get("X-Operations-Limit")).toBe("5000000");
    expect(response.headers.get("X-Storage-Limit")).toBe(String(200 * GB));
    expect(response.headers.get("X-RateLimit-Limit")).toBe("1000");
  });

  it("Sessions keep their rate over the month's limit, and a key's uploads are refused until the month ends", async () => {
    await waitForQuietMinute();
    const account = await openAccount();
    await setUsedTenths(account.id, 100_000);
    expect((await list(account)).headers.get("X-RateLimit-Limit")).toBe("60");
    const resetAt = (await meterOf(account.id).read())?.operationsResetAt ?? 0;
    for (let i = 0; i < 8; i++) {
      const response = await upload(account.uploadKey, [{ name: "a.png", bytes: png() }]);
      expect(response.headers.get("X-RateLimit-Limit")).toBe("6");
      const { error, details } = await response.json<{ error: string; details: { retryAfter: number } }>();
      expect([response.status, error]).toEqual([429, "Monthly operations limit reached"]);
      expect(Math.abs(details.retryAfter - (resetAt - Date.now()) / 1000)).toBeLessThan(5);
    }
  });

  it("An API key has a tenth of its rate over the month's limit, and its deletions are refused until the month ends", async () => {
    await waitForQuietMinute(10_000);
    const account = await openProAccount();
    await setUsedTenths(account.id, 10_000_000);
    const ask = (method: string) =>
      call(`/images/01hzy3v7k9q4r5s6t7v8w9x0ya`, { method, headers: bearer(account.apiKey) });
    await Promise.all(Array.from({ length: 30 }, () => ask("GET")));
    const read = await (await ask("GET")).json<{ error: string; details: { retryAfter: number } }>();
    expect(read).toMatchObject({
      error: "Rate limit exceeded",
      code: "rate_limited",
      statusCode: 429,
      details: { reason: "rate" },
    });
    expect(read.details.retryAfter).toBeLessThanOrEqual(60);
    expect(await (await ask("DELETE")).json()).toMatchObject({
      error: "Monthly operations limit reached",
      code: "operations_exhausted",
      details: { reason: "operations" },
    });
  });

  it("Uploads in progress hold operations: only as many begin as the month allows", async () => {
    const account = await openAccount();
    await setUsedTenths(account.id, 99_985);
    const meter = meterOf(account.id);
    expect(await meter.reserve(intent("a"), 1, 1)).toMatchObject({ outcome: "reserved" });
    expect(await meter.reserve(intent("b"), 1, 1)).toMatchObject({ outcome: "reserved" });
    expect(await meter.reserve(intent("c"), 1, 1)).toMatchObject({ outcome: "operations-exhausted" });
  });
});

describe("Deletions in progress at the month's limit", () => {
  async function removeAll(account: TestAccount, ids: readonly string[]): Promise<number[]> {
    const remove = async (id: string) =>
      (await call(`/images/${id}`, { method: "DELETE", headers: bearer(account.token) })).status;
    return (await Promise.all(ids.map(remove))).sort();
  }

  async function storeSome(account: TestAccount, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push((await uploadOne(account.token, { name: "a.png", bytes: png() }))._id);
    return ids;
  }

  it("Deletions in progress hold operations: only as many begin as the month allows", async () => {
    const account = await openAccount();
    const ids = await storeSome(account, 6);
    await setUsedTenths(account.id, 99_975);
    expect(await removeAll(account, ids)).toEqual([200, 200, 200, 429, 429, 429]);
    const { usedTenths, intents } = await readMeter(account.id);
    expect(usedTenths).toBe(100_005);
    expect(intents).toEqual([]);
  });

  it("Deletions and uploads in progress hold operations together", async () => {
    const account = await openAccount();
    const ids = await storeSome(account, 2);
    await setUsedTenths(account.id, 99_980);
    expect(await meterOf(account.id).reserve(intent("a"), 1, 1)).toMatchObject({ outcome: "reserved" });
    expect(await removeAll(account, ids)).toEqual([200, 429]);
  });

  it("A repeated call of a deletion in progress is not refused", async () => {
    const account = await openAccount();
    const [id = ""] = await storeSome(account, 1);
    await setUsedTenths(account.id, 99_990);
    await replaceStores(account.id, failingDatabases());
    expect(await removeAll(account, [id])).toEqual([503]);
    await restoreStores(account.id);
    expect(await removeAll(account, [id])).toEqual([200]);
    expect((await readMeter(account.id)).usedTenths).toBe(100_000);
  });
});

describe("Requests of the minute", () => {
  it("Requests over the tier's rate are 429 with the seconds to wait, and are not counted", async () => {
    await waitForQuietMinute();
    const account = await openAccount();
    const responses = await Promise.all(Array.from({ length: 70 }, () => list(account)));
    const limited = responses.filter(({ status }) => status === 429);
    expect([responses.length - limited.length, limited.length]).toEqual([60, 10]);
    const [response] = limited;
    const body = await response?.json<{ details: { retryAfter: number } }>();
    expect(body).toMatchObject({ statusCode: 429, error: expect.any(String), details: { reason: "rate" } });
    expect(body?.details.retryAfter).toBeGreaterThan(0);
    expect(body?.details.retryAfter).toBeLessThanOrEqual(60);
    expect(response?.headers.get("Retry-After")).toBe(String(body?.details.retryAfter));
    expect(response?.headers.get("X-RateLimit-Remaining")).toBe("0");
    const resetAt = Number(response?.headers.get("X-RateLimit-Reset")) * 1000;
    expect(resetAt % 60_000).toBe(0);
    expect(resetAt - Date.now()).toBeLessThanOrEqual(60_000);
  });
});

describe("Smaller tier", () => {
  it("A smaller tier keeps stored files over its limit, and accepts no more", async () => {
    const account = await openAccount("pro");
    const { url } = await uploadOne(account.token, { name: "a.png", bytes: png() });
    await setStorageBytes(account.id, 9 * GB);
    await setTier(account.email, "free");
    const response = await upload(account.token, [{ name: "b.png", bytes: png() }]);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      error: "Storage limit exceeded. You've used 9 GB of 1 GB.",
      statusCode: 413,
    });
    expect((await call(new URL(url).pathname)).status).toBe(200);
    expect((await list(account)).headers.get("X-Storage-Used")).toBe(String(9 * GB));
  });
});

describe("Operation log", () => {
  it("The operation log drops operations older than 90 days", async () => {
    const account = await openAccount();
    const now = Date.now();
    const view = (id: string, days: number) => ({ id, at: now - days * DAY_MS, resourceId: "x" });
    await meterOf(account.id).recordViews([view("old", 92), view("due", 90.1), view("kept", 89.9), view("new", 0)]);
    const alarm = () => runInDurableObject(meterOf(account.id), (_meter, { storage }) => storage.getAlarm());
    expect(await alarm()).toEqual(expect.any(Number));
    await runDurableObjectAlarm(meterOf(account.id));
    const { operations, usedTenths } = await readMeter(account.id);
    expect(operations.map(({ id }) => id)).toEqual(["kept", "new"]);
    // The month's count is no sum over the log.
    expect(usedTenths).toBe(4);
    expect(await alarm()).toBeGreaterThan(now);
  });
});
