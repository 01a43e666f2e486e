import { describe, expect, it } from "vitest";
import {
  expectNothingLeft,
  meterOf,
  readMeter,
  replayIntents,
  setStorageBytes,
  setUsedTenths,
  storedKeys,
  usageOf,
} from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type TestAccount, type UploadResult, upload } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { LIMIT, openFullAccount, send, sendStream } from "../../support/uploads/full-account.ts";
import { multipartBody } from "../../support/uploads/multipart.ts";
import { postMultipart } from "../../support/uploads/post-multipart.ts";
import { giveAccountsWholeMemory } from "../../support/uploads/whole-memory.ts";

giveAccountsWholeMemory();

const MIB = 1024 * 1024;

const WAYS = [
  ["with a Content-Length", send],
  ["without a Content-Length", sendStream],
] as const;

describe.each(WAYS)("A file sent %s", (_, sendFiles) => {
  it.each([
    ["a small one, one byte too large", 999, 1000],
    ["a small one, where nothing is free", 0, 100],
    ["a large one, over at its first part", 3 * MIB, 12 * MIB],
    ["a large one, over in the middle", 7 * MIB, 12 * MIB],
    ["a large one, over by its last byte", 12 * MIB - 1, 12 * MIB],
    ["one of exactly a part, one byte too large", 8 * MIB - 1, 8 * MIB],
  ])("A file over the quota (%s) is 413, and nothing of it is kept", async (_case, freeBytes, sizeBytes) => {
    const account = await openFullAccount(freeBytes);
    const response = await sendFiles(account, [sizeBytes]);
    expect(response.status).toBe(413);
    const body = await response.json<{ error: string; statusCode: number }>();
    expect(body.statusCode).toBe(413);
    expect(body.error).toMatch(/^Storage limit exceeded\. You've used [\d.]+ GB of 1 GB\.$/);
    expect(usageOf(response)).toEqual({ storage: LIMIT - freeBytes, operations: 0 });
    await expectNothingLeft(account.id);
    expect((await readMeter(account.id)).storageBytes).toBe(LIMIT - freeBytes);
  });

  it.each([100, 1000, 8 * MIB - 1, 8 * MIB, 8 * MIB + 1, 12 * MIB])(
    "A file of %d bytes fits if exactly this much is free",
    async (sizeBytes) => {
      const account = await openFullAccount(sizeBytes);
      const response = await sendFiles(account, [sizeBytes]);
      expect(response.status).toBe(201);
      expect(usageOf(response).storage).toBe(LIMIT);
      expect((await readMeter(account.id)).intents).toEqual([]);
    },
  );

  it("A file over the quota is refused, and the others of its request are stored", async () => {
    const account = await openFullAccount(8 * MIB);
    const response = await sendFiles(account, [1000, 9 * MIB, 2000, 7 * MIB, 3000]);
    expect(response.status).toBe(201);
    const { uploaded, failed } = await response.json<{ uploaded: UploadResult[]; failed: { statusCode: number }[] }>();
    expect(uploaded.map(({ fileSize }) => fileSize)).toEqual([1000, 2000, 7 * MIB, 3000]);
    expect(failed).toEqual([expect.objectContaining({ originalFilename: "1.mp4", statusCode: 413 })]);
    expect(usageOf(response)).toEqual({ storage: LIMIT - MIB + 6000, operations: 4 });
    expect(await storedKeys(account.id)).toHaveLength(4);
  });

  it("A file may fill the quota together with the others of its request", async () => {
    const sizes = [6 * MIB, 7 * MIB, 8 * MIB, 1000];
    const account = await openFullAccount(21 * MIB + 1000);
    const response = await sendFiles(account, sizes);
    expect(response.status).toBe(201);
    const { uploaded } = await response.json<{ uploaded: UploadResult[] }>();
    expect(uploaded.map(({ fileSize }) => fileSize)).toEqual(sizes);
    expect(usageOf(response).storage).toBe(LIMIT);
  });
});

describe("Uploads of unknown length", () => {
  /** The upload stops after `pauseAt` bytes, and continues when the test calls for it. */
  function startStream(account: TestAccount, sizeBytes: number, pauseAt: number) {
    const body = multipartBody("edge", [{ name: "file", filename: "long.mp4", content: mp4(sizeBytes) }]);
    const paused = Promise.withResolvers<void>();
    const resumed = Promise.withResolvers<void>();
    let sent = 0;
    const stream = new ReadableStream({
      type: "bytes",
      async pull(controller) {
        if (sent >= pauseAt) {
          paused.resolve();
          await resumed.promise;
        }
        const chunk = body.slice(sent, sent + 200_000);
        sent += chunk.length;
        if (chunk.length > 0) return controller.enqueue(chunk);
        controller.close();
        controller.byobRequest?.respond(0);
      },
    });
    return { paused: paused.promise, resume: resumed.resolve, answer: postMultipart(account.uploadKey, stream) };
  }

  it("An upload of unknown length reserves only the storage it needs at the moment", async () => {
    const account = await openFullAccount(40 * MIB);
    const long = startStream(account, 12 * MIB, 8 * MIB);
    await long.paused;
    await expect.poll(async () => (await readMeter(account.id)).intents).toHaveLength(1);
    const meanwhile = await Promise.all([
      send(account, [6 * MIB]),
      sendStream(account, [6 * MIB]),
      send(account, [1000]),
    ]);
    expect(meanwhile.map(({ status }) => status)).toEqual([201, 201, 201]);
    long.resume();
    expect((await long.answer).status).toBe(201);
    const { storageBytes, intents } = await readMeter(account.id);
    expect({ storageBytes, intents }).toEqual({ storageBytes: LIMIT - 16 * MIB + 1000, intents: [] });
  });

  it("An upload of unknown length without room is 413 in its middle, and nothing of it is kept", async () => {
    const account = await openFullAccount(20 * MIB);
    const long = startStream(account, 18 * MIB, 8 * MIB);
    await long.paused;
    await expect.poll(async () => (await readMeter(account.id)).intents).toHaveLength(1);
    expect((await send(account, [4 * MIB])).status).toBe(201);
    long.resume();
    const response = await long.answer;
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^Storage limit exceeded\./) });
    expect(await storedKeys(account.id)).toHaveLength(1);
    const { storageBytes, intents } = await readMeter(account.id);
    expect({ storageBytes, intents }).toEqual({ storageBytes: LIMIT - 16 * MIB, intents: [] });
  });

  it("An upload of unknown length gets storage that became free while it was received", async () => {
    const account = await openAccount();
    const first = await upload(account.token, [{ name: "a.mp4", bytes: mp4(8 * MIB) }]);
    const { _id } = await first.json<UploadResult>();
    await setStorageBytes(account.id, LIMIT - 12 * MIB);
    const long = startStream(account, 18 * MIB, 8 * MIB);
    await long.paused;
    await expect.poll(async () => (await readMeter(account.id)).intents).toHaveLength(1);
    expect((await call(`/images/${_id}`, { method: "DELETE", headers: bearer(account.token) })).status).toBe(200);
    long.resume();
    expect((await long.answer).status).toBe(201);
    expect((await readMeter(account.id)).storageBytes).toBe(LIMIT - 2 * MIB);
  });

  it("An upload of unknown length that the alarm has undone is 503, and nothing is kept", async () => {
    const account = await openAccount();
    const long = startStream(account, 18 * MIB, 8 * MIB);
    await long.paused;
    await expect.poll(async () => (await readMeter(account.id)).intents).toHaveLength(1);
    await replayIntents(account.id);
    long.resume();
    const response = await long.answer;
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ details: { retryAfter: expect.any(Number) } });
    await expectNothingLeft(account.id);
  });
});

describe("The month's operations", () => {
  it("Operations limit every stored file: files over the limit are 429 with `retryAfter`", async () => {
    const account = await openAccount();
    await setUsedTenths(account.id, 99_980);
    const response = await upload(
      account.uploadKey,
      Array.from({ length: 4 }, (_, i) => ({ name: `${i}.png`, bytes: png() })),
    );
    expect(response.status).toBe(201);
    const { uploaded, failed } = await response.json<{ uploaded: unknown[]; failed: { details: unknown }[] }>();
    expect([uploaded.length, failed.length]).toEqual([2, 2]);
    expect(failed[0]).toMatchObject({
      statusCode: 429,
      details: { reason: "operations", retryAfter: expect.any(Number) },
    });
    expect(usageOf(response).operations).toBe(10_000);
  });

  it("An upload without operations left is refused, and nothing is kept", async () => {
    const account = await openAccount();
    await setUsedTenths(account.id, 100_000);
    const response = await send(account, [12 * MIB]);
    expect(response.status).toBe(429);
    const { details } = await response.json<{ details: { retryAfter: number } }>();
    expect(response.headers.get("Retry-After")).toBe(String(details.retryAfter));
    const figures = await meterOf(account.id).read();
    const secondsLeft = ((figures?.operationsResetAt ?? 0) - Date.now()) / 1000;
    expect(Math.abs(details.retryAfter - secondsLeft)).toBeLessThan(10);
    await expectNothingLeft(account.id);
  });
});
