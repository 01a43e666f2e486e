import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import type { Lease } from "../../../src/isolate/memory-budget.ts";
import { largeFiles, smallFiles } from "../../../src/services/uploads/receive/upload-memory.ts";
import worker from "../../../src/worker.ts";
import { expectConsistent, expectNothingLeft, storedKeys } from "../../support/api/account-state.ts";
import { BASE_URL, bearer, openAccount, type TestAccount, upload } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { multipartBody } from "../../support/uploads/multipart.ts";
import { postMultipart } from "../../support/uploads/post-multipart.ts";

// An isolate has 128 MB. With any number of clients, uploads hold only two budgets; the rest waits unread.

const MIB = 1024 * 1024;
const KIB_256 = 256 * 1024;
const VIDEO = multipartBody("edge", [{ name: "file", filename: "a.mp4", content: mp4(20 * MIB) }]);

const held: Lease[] = [];

afterEach(() => {
  for (const lease of held.splice(0)) lease.release();
});

/** Takes the memory for large files, except `leftBytes`. */
function holdLarge(leftBytes = 0): Lease {
  const lease = largeFiles.tryTake(largeFiles.freeBytes - leftBytes);
  if (lease === undefined) throw new Error("Somebody holds memory still");
  held.push(lease);
  return lease;
}

/** An upload whose client sends as its function decides. `sent` is the number of bytes that the server has read. */
function uploadAs(account: TestAccount, next: (sent: number) => Promise<number>, content = VIDEO, isSizeKnown = true) {
  const ctx = createExecutionContext();
  const progress = { sent: 0 };
  const body = new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const end = progress.sent + (await next(progress.sent));
      if (end > progress.sent) controller.enqueue(content.slice(progress.sent, end));
      progress.sent = Math.min(end, content.length);
      if (progress.sent < content.length) return;
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
  const headers = {
    ...bearer(account.uploadKey),
    "Content-Type": "multipart/form-data; boundary=edge",
    ...(isSizeKnown ? { "Content-Length": String(content.length) } : {}),
  };
  const request = new Request(`${BASE_URL}/images/upload`, { method: "POST", headers, body });
  const answering = async () => {
    const response = await worker.fetch(request, env, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  };
  return { progress, answer: answering() };
}

const eager = async () => KIB_256;

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  const body = await response.json<{ error: string; details: { retryAfter: number } }>();
  expect(body).toMatchObject({
    error: "Service temporarily unavailable",
    code: "service_unavailable",
    details: { retryAfter: expect.any(Number) },
  });
  expect(response.headers.get("Retry-After")).toBe(String(body.details.retryAfter));
}

describe.each([
  ["known", true],
  ["unknown", false],
])("Full memory for large files (length %s)", (_, isSizeKnown) => {
  it("A large upload without memory waits unread, and continues when some is released", async () => {
    const account = await openAccount();
    const lease = holdLarge();
    const { progress, answer } = uploadAs(account, eager, VIDEO, isSizeKnown);
    await after(1000);
    expect(progress.sent).toBeGreaterThan(0);
    expect(progress.sent).toBeLessThanOrEqual(2 * MIB);
    lease.release();
    expect((await answer).status).toBe(201);
    await expectConsistent(account.id);
  });

  it("Small files are stored as usual while the memory for large files is full", async () => {
    const account = await openAccount();
    holdLarge();
    const small = multipartBody("edge", [{ name: "file", filename: "a.png", content: png(1, 1, 900_000) }]);
    const began = Date.now();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => uploadAs(account, eager, small, isSizeKnown).answer),
    );
    for (const { status } of answers) expect(status).toBe(201);
    // No upload waited for the held memory, because that takes twenty seconds.
    expect(Date.now() - began).toBeLessThan(15_000);
    await expectConsistent(account.id);
  });
});

describe("Memory that is not released", () => {
  it("A large upload without memory is 503 after twenty seconds, and nothing is kept", async () => {
    const account = await openAccount();
    holdLarge();
    const began = Date.now();
    const uploads = [true, false].map((isSizeKnown) => uploadAs(account, eager, VIDEO, isSizeKnown));
    await after(15_000);
    for (const { progress } of uploads) expect(progress.sent).toBeLessThanOrEqual(2 * MIB);
    for (const { answer } of uploads) await expectUnavailable(await answer);
    expect(Date.now() - began).toBeGreaterThan(19_000);
    await expectNothingLeft(account.id);
  }, 120_000);
});

describe("Memory for uploads", () => {
  it("The memory of an upload is free again after any end", async () => {
    const account = await openAccount();
    const freeBytes = largeFiles.freeBytes + smallFiles.freeBytes;
    expect((await uploadAs(account, eager).answer).status).toBe(201);
    expect((await postMultipart(account.uploadKey, VIDEO.slice(0, 18 * MIB))).status).toBe(400);
    const text = multipartBody("edge", [{ name: "file", filename: "a.txt", content: new Uint8Array(12 * MIB) }]);
    expect((await postMultipart(account.uploadKey, text)).status).toBe(415);
    const files = [1, 2, 3].map((i) => ({ name: `${i}.png`, bytes: png(1, 1, i * MIB) }));
    expect((await upload(account.uploadKey, files)).status).toBe(201);
    expect(largeFiles.freeBytes + smallFiles.freeBytes).toBe(freeBytes);
  });

  it("The memory of an upload grows with its bytes: stopped clients hold only those they sent", async () => {
    const accounts = await Promise.all([1, 2].map(() => openAccount()));
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const freeBytes = largeFiles.freeBytes;
    const stop = async (sent: number) => {
      if (sent >= 2 * MIB) await goOn;
      return KIB_256;
    };
    const stopping = [...accounts, ...accounts, ...accounts, ...accounts].map((account) => uploadAs(account, stop));
    const haveStopped = () => stopping.every(({ progress }) => progress.sent >= 2 * MIB);
    await expect.poll(haveStopped, { timeout: 60_000 }).toBe(true);
    const heldBytes = freeBytes - largeFiles.freeBytes;
    expect(heldBytes).toBeGreaterThan(8 * MIB);
    expect(heldBytes).toBeLessThanOrEqual(8 * 2.5 * MIB);
    resolve();
    for (const { answer } of stopping) expect((await answer).status).toBe(201);
    for (const { id } of accounts) await expectConsistent(id);
  }, 120_000);

  it("The memory is enough for uploads that each need all of it in the end, in any interleaving", async () => {
    const account = await openAccount();
    const uneven = async (sent: number) => {
      await after(sent % 7);
      return KIB_256;
    };
    const statuses = await Promise.all(Array.from({ length: 12 }, () => uploadAs(account, uneven).answer));
    expect(statuses.map(({ status }) => status)).toEqual(statuses.map(() => 201));
    await expectConsistent(account.id);
  }, 120_000);
});

describe("An account's slow clients", () => {
  /** Uploads that stop before their end, until the test calls `goOn`. */
  function stopAt(account: TestAccount, count: number, content: Uint8Array<ArrayBuffer>) {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const next = async (sent: number) => {
      if (sent >= content.length - KIB_256) await goOn;
      return KIB_256;
    };
    return { uploads: Array.from({ length: count }, () => uploadAs(account, next, content)), goOn: resolve };
  }

  it.each([
    ["small", 1_000_000, smallFiles],
    ["large", 7 * MIB, largeFiles],
  ])(
    "An account of slow clients delays no other account (%s files), and gets 503 itself",
    async (_, length, budget) => {
      const [account, other] = [await openAccount(), await openAccount()];
      const freeBytes = budget.freeBytes;
      const content = multipartBody("edge", [{ name: "file", filename: "a.mp4", content: mp4(length) }]);
      const slow = stopAt(account, 20, content);
      await expect.poll(() => freeBytes - budget.freeBytes, { timeout: 15_000 }).toBeGreaterThan(freeBytes / 4);
      const began = Date.now();
      expect((await uploadAs(other, eager, content).answer).status).toBe(201);
      // The account's own uploads wait until its slow clients are disconnected after ten seconds.
      expect(Date.now() - began).toBeLessThan(10_000);
      expect(freeBytes - budget.freeBytes).toBeLessThanOrEqual(freeBytes / 3);
      const refused = await Promise.race(slow.uploads.map(({ answer }) => answer));
      await expectUnavailable(refused);
      slow.goOn();
      const statuses = await Promise.all(slow.uploads.map(async ({ answer }) => (await answer).status));
      expect(statuses).toContain(201);
      expect(budget.freeBytes).toBe(freeBytes);
      for (const { id } of [account, other]) await expectConsistent(id);
    },
    120_000,
  );
});

describe("Nearly silent clients", () => {
  it("Nearly silent clients keep their memory until others wait, then get 503; slow ones do not", async () => {
    const accounts = await Promise.all([1, 2, 3, 4, 5, 6].map(() => openAccount()));
    let ended = false;
    const sendFew = (bytes: number, pauseMs: number) => async (sent: number) => {
      if (sent < 7 * MIB || ended) return MIB;
      await after(pauseMs);
      return bytes;
    };
    const [slow, ...trickling] = accounts.map((account, i) =>
      uploadAs(account, i === 0 ? sendFew(32 * 1024, 500) : sendFew(100, 200)),
    );
    if (slow === undefined) throw new Error("There is no slow upload");
    const answers = [...trickling, slow].map(({ answer }) => answer);
    expect(await Promise.race([...answers, after(11_000)])).toBeUndefined();

    const began = Date.now();
    const others = await Promise.all([1, 2, 3].map(() => openAccount()));
    const uploaded = await Promise.all(others.map((other) => uploadAs(other, eager).answer));
    expect(uploaded.map(({ status }) => status)).toEqual([201, 201, 201]);
    // They did not wait as long as a refused upload waits.
    expect(Date.now() - began).toBeLessThan(18_000);
    ended = true;
    const ends = await Promise.all(answers.slice(0, -1));
    const refused = ends.filter(({ status }) => status !== 201);
    expect(refused.length).toBeGreaterThan(0);
    for (const response of refused) await expectUnavailable(response);
    expect((await slow.answer).status).toBe(201);
    for (const { id } of accounts) await expectConsistent(id);
    const stored = await Promise.all(accounts.map(({ id }) => storedKeys(id)));
    expect(stored.flat()).toHaveLength(6 - refused.length);
  }, 120_000);
});
