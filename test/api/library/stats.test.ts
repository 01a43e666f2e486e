import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import worker from "../../../src/worker.ts";
import { setStorageBytes, usageOf } from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  createApiKey,
  openAccount,
  openProAccount,
  setTier,
  type TestAccount,
  upload,
  uploadOne,
} from "../../support/api/api.ts";
import {
  bulkUpdate,
  createFolder,
  deleteFolder,
  deleteImage,
  moveToTrash,
  restore,
} from "../../support/library/api.ts";
import { readStats } from "../../support/library/stats.ts";
import { gif, jpeg, mp4, png } from "../../support/media/samples.ts";

const GB = 1024 ** 3;

/** Has the file viewed this number of times, by messages like the CDN Worker's. */
async function view(account: TestAccount, objectKey: string, times: number): Promise<void> {
  const messages = Array.from({ length: times }, () => ({
    id: crypto.randomUUID(),
    timestamp: new Date(),
    attempts: 1,
    body: { type: "file.viewed", accountId: account.id, objectKey, viewedAt: Date.now() },
  }));
  const batch = createMessageBatch("media-host-views", messages);
  const ctx = createExecutionContext();
  await worker.queue(batch as Parameters<typeof worker.queue>[0], env);
  expect((await getQueueResult(batch, ctx)).outcome).toBe("ok");
}

describe("GET /stats/overview", () => {
  it("`GET /stats/overview` of a new account has the contract's shape, and is empty", async () => {
    const account = await openAccount();
    const stats = await readStats(account.token);
    expect(stats).toEqual({
      tier: "free",
      storage: { used: 0, limit: GB, percent: 0, images: 0, videos: 0, trash: 0 },
      operations: { used: 0, limit: 10_000, percent: 0, classA: 0, classB: 0, resetAt: expect.any(String) },
      egress: { bytes: 0 },
      rateLimit: { perMinute: 60 },
      upload: { maxBytes: 104_857_600, maxFiles: 50 },
      files: { total: 0, images: 0, videos: 0, trashed: 0, trashedBytes: 0 },
      folders: 0,
      variants: { count: 0, bytes: 0 },
    });
  });

  it.each([
    ["starter", 5 * GB, 100_000, 120],
    ["pro", 10 * GB, 1_000_000, 300],
    ["business", 200 * GB, 5_000_000, 1000],
  ] as const)("`GET /stats/overview` shows the limits of %s", async (tier, storage, operations, perMinute) => {
    const account = await openAccount(tier);
    expect(await readStats(account.token)).toMatchObject({
      tier,
      storage: { limit: storage },
      operations: { limit: operations },
      rateLimit: { perMinute },
    });
    await setTier(account.email, "free");
    expect(await readStats(account.token)).toMatchObject({ tier: "free", storage: { limit: GB } });
  });

  it("`GET /stats/overview` counts stored uploads by kind, and the trash, which is stored as well", async () => {
    const account = await openAccount();
    const { token } = account;
    const folder = await createFolder(token, "One");
    await createFolder(token, "Two", folder);
    const files = [png(1, 1, 1000), jpeg(4, 3, 500), gif(), mp4(2000), mp4(300, 2)];
    const ids: string[] = [];
    for (const [at, bytes] of files.entries()) {
      const fields: Record<string, string> = at % 2 === 0 ? {} : { folderId: folder };
      ids.push((await uploadOne(token, { name: "x", bytes }, fields))._id);
    }
    const used = 3800 + gif().length;
    const [picture = "", photo = "", , clip = ""] = ids;
    const expectFiles = async (expected: object, folders: number, bytes: number, operations: number) => {
      const stats = await readStats(token);
      const { images, videos, trash } = stats.storage;
      expect(images + videos + trash).toBe(bytes);
      expect(trash).toBe(stats.files.trashedBytes);
      expect(stats).toMatchObject({ files: expected, folders });
      expect([stats.storage.used, stats.operations.used]).toEqual([bytes, operations]);
    };
    await expectFiles({ total: 5, images: 3, videos: 2, trashed: 0, trashedBytes: 0 }, 2, used, 5);
    expect((await readStats(token)).storage).toMatchObject({ images: 1500 + gif().length, videos: 2300, trash: 0 });
    await moveToTrash(token, [picture, clip]);
    expect((await readStats(token)).storage).toMatchObject({ images: 500 + gif().length, videos: 300, trash: 3000 });
    await expectFiles({ total: 5, images: 3, videos: 2, trashed: 2, trashedBytes: 3000 }, 2, used, 5);
    await deleteImage(token, clip);
    await expectFiles({ total: 4, images: 3, videos: 1, trashed: 1, trashedBytes: 1000 }, 2, used - 2000, 6);
    await bulkUpdate(token, { ids, folderId: folder, favorite: true, addTags: ["x"] });
    await deleteFolder(token, folder);
    await expectFiles({ total: 4, images: 3, videos: 1, trashed: 1, trashedBytes: 1000 }, 0, used - 2000, 6);
    await restore(token, [picture]);
    await deleteImage(token, photo);
    await expectFiles({ total: 3, images: 2, videos: 1, trashed: 0, trashedBytes: 0 }, 0, used - 2500, 7);
  });

  it("`GET /stats/overview` agrees with the usage headers", async () => {
    const account = await openProAccount();
    const { filename } = await uploadOne(account.apiKey, { name: "x.png", bytes: png(1, 1, 12_345) });
    await view(account, filename, 7);
    const response = await call("/stats/overview", { headers: bearer(account.apiKey) });
    const { storage, operations } = await response.json<Awaited<ReturnType<typeof readStats>>>();
    expect(usageOf(response)).toEqual({ storage: 12_345, operations: 1.7 });
    expect([storage.used, operations.used]).toEqual([12_345, 1.7]);
    expect(response.headers.get("X-Storage-Limit")).toBe(String(storage.limit));
    expect(response.headers.get("X-Operations-Limit")).toBe(String(operations.limit));
  });

  it("`GET /stats/overview` costs no operation", async () => {
    const account = await openAccount();
    for (let i = 0; i < 3; i++) expect((await readStats(account.token)).operations.used).toBe(0);
  });

  it("`GET /stats/overview` does not count an upload that failed", async () => {
    const account = await openAccount();
    expect((await upload(account.token, [{ name: "x.png", bytes: new Uint8Array([1]) }])).status).toBe(415);
    expect(await readStats(account.token)).toMatchObject({
      storage: { used: 0 },
      operations: { used: 0, classA: 0 },
      files: { total: 0, images: 0, videos: 0 },
    });
  });

  it("`GET /stats/overview` accepts any API key and any session, and no upload key", async () => {
    const [pro, free] = [await openProAccount(), await openAccount()];
    const { key } = await createApiKey(pro.token);
    for (const token of [pro.apiKey, key, pro.token]) expect((await readStats(token)).tier).toBe("pro");
    expect((await readStats(free.token)).tier).toBe("free");
    const response = await call("/stats/overview", { headers: bearer(free.uploadKey) });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: "API access requires Pro or Business tier",
      code: "api_tier_required",
      statusCode: 403,
    });
  });
});

describe("Operations", () => {
  it("Operations are shown by class: uploads and deletions in A, views in B, which weigh a tenth", async () => {
    const account = await openAccount();
    const kept = await uploadOne(account.token, { name: "a.png", bytes: png() });
    const gone = await uploadOne(account.token, { name: "b.png", bytes: png() });
    await deleteImage(account.token, gone._id);
    await view(account, kept.filename, 13);
    const { operations } = await readStats(account.token);
    expect(operations).toMatchObject({ used: 4.3, classA: 3, classB: 1.3, percent: 0.04 });
  });

  it("Operations reset on the 1st of the next month for Free", async () => {
    const { operations } = await readStats((await openAccount()).token);
    const now = new Date();
    const reset = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(operations.resetAt).toBe(reset.toISOString());
  });

  it("Operations reset on a day within the next month for paid tiers", async () => {
    const { operations } = await readStats((await openAccount("pro")).token);
    expect(new Date(operations.resetAt).toISOString()).toBe(operations.resetAt);
    const days = (Date.parse(operations.resetAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(0);
    expect(days).toBeLessThanOrEqual(31);
  });
});

describe("Percentages", () => {
  it.each([
    [0, 0],
    [GB, 100],
    [GB / 2, 50],
    [GB / 4, 25],
    [Math.round(GB / 3), 33.33],
    [123_456_789, 11.49],
    [GB - 1, 99.99],
    [1, 0],
  ])("The percentage of %d bytes of 1 GB is %d, to two decimals, rounded down", async (bytes, percent) => {
    const account = await openAccount();
    await setStorageBytes(account.id, bytes);
    const { storage } = await readStats(account.token);
    expect(storage.used).toBe(bytes);
    expect(storage.percent).toBe(percent);
  });

  it("A percentage is over 100 if the tier that allowed it has ended", async () => {
    const account = await openAccount("starter");
    await setStorageBytes(account.id, 3 * GB);
    await setTier(account.email, "free");
    expect(await readStats(account.token)).toMatchObject({ storage: { used: 3 * GB, limit: GB, percent: 300 } });
  });
});
