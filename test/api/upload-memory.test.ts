import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { PartBuffers } from "../../src/services/uploads/part-buffers.ts";
import worker from "../../src/worker.ts";
import { expectConsistent, expectNothingLeft, storedKeys } from "../support/account-state.ts";
import { BASE_URL, bearer, openAccount, type TestAccount, upload } from "../support/api.ts";
import { multipartBody, postMultipart } from "../support/multipart.ts";
import { mp4, png } from "../support/samples.ts";

// An isolate has 128 MB: ten parts of files are received in it at a time, however many clients send.

const MIB = 1024 * 1024;
const BUFFERS = 10;
const KIB_256 = 256 * 1024;
const VIDEO = multipartBody("edge", [{ name: "file", filename: "a.mp4", content: mp4(12 * MIB) }]);

const held: PartBuffers[] = [];

afterEach(() => {
  for (const buffers of held.splice(0)) buffers.release();
});

async function hold(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const buffers = new PartBuffers();
    await buffers.require();
    held.push(buffers);
  }
}

/** An upload of the video whose client sends as its function says. `sent` is what the server has taken of it. */
function uploadVideo(account: TestAccount, next: (sent: number) => Promise<number>) {
  const ctx = createExecutionContext();
  const progress = { sent: 0 };
  const body = new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const end = progress.sent + (await next(progress.sent));
      if (end > progress.sent) controller.enqueue(VIDEO.slice(progress.sent, end));
      progress.sent = Math.min(end, VIDEO.length);
      if (progress.sent < VIDEO.length) return;
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
  const headers = { ...bearer(account.uploadKey), "Content-Type": "multipart/form-data; boundary=edge" };
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

describe("while all the memory for parts is in use", () => {
  it("a large upload waits unread, and goes on where some is given back", async () => {
    const account = await openAccount();
    await hold(BUFFERS);
    const { progress, answer } = uploadVideo(account, eager);
    await after(1000);
    expect(progress.sent).toBeGreaterThan(0);
    expect(progress.sent).toBeLessThanOrEqual(2 * MIB);
    held.pop()?.release();
    expect((await answer).status).toBe(201);
    await expectConsistent(account.id);
  });

  it("a large upload is 503 after twenty seconds, and nothing stays", async () => {
    const account = await openAccount();
    await hold(BUFFERS);
    const began = Date.now();
    const response = await uploadVideo(account, eager).answer;
    expect(Date.now() - began).toBeGreaterThan(19_000);
    expect(response.status).toBe(503);
    const { error, statusCode, details } = await response.json<{
      error: string;
      statusCode: number;
      details: { retryAfter: number };
    }>();
    expect({ error, statusCode }).toEqual({ error: "Service temporarily unavailable", statusCode: 503 });
    expect(response.headers.get("Retry-After")).toBe(String(details.retryAfter));
    await expectNothingLeft(account.id);
  }, 40_000);

  it("files of less than a part are stored as ever", async () => {
    const account = await openAccount();
    await hold(BUFFERS);
    const began = Date.now();
    expect((await upload(account.uploadKey, [{ name: "a.png", bytes: png(1, 1, 4 * MIB) }])).status).toBe(201);
    const several = [1, 2, 3, 4].map((i) => ({ name: `${i}.png`, bytes: png(1, 1, MIB) }));
    expect((await upload(account.uploadKey, several)).status).toBe(201);
    const small = [1, 2, 3].map((i) => ({ name: "file", filename: `${i}.png`, content: png(1, 1, 300_000) }));
    const large = Array.from({ length: 20 }, () => small).flat();
    expect((await postMultipart(account.uploadKey, multipartBody("edge", large.slice(0, 50)))).status).toBe(201);
    expect(Date.now() - began).toBeLessThan(10_000);
    await expectConsistent(account.id);
  });

  it("what one upload holds is free again however it ends", async () => {
    const account = await openAccount();
    await hold(BUFFERS - 1);
    expect((await uploadVideo(account, eager).answer).status).toBe(201);
    const broken = VIDEO.slice(0, 8 * MIB);
    expect((await postMultipart(account.uploadKey, broken)).status).toBe(400);
    const text = multipartBody("edge", [{ name: "file", filename: "a.txt", content: new Uint8Array(12 * MIB) }]);
    expect((await postMultipart(account.uploadKey, text)).status).toBe(415);
    const began = Date.now();
    expect((await uploadVideo(account, eager).answer).status).toBe(201);
    expect(Date.now() - began).toBeLessThan(5000);
  });
});

describe("clients that send next to nothing", () => {
  it("keep what they hold until others wait for it, and then lose it with 408; a slow one that goes on does not", async () => {
    const account = await openAccount();
    let ended = false;
    const sendFew = (bytes: number, pauseMs: number) => async (sent: number) => {
      if (sent < 6 * MIB || ended) return MIB;
      await after(pauseMs);
      return bytes;
    };
    const trickling = Array.from({ length: BUFFERS - 1 }, () => uploadVideo(account, sendFew(100, 200)));
    const slow = uploadVideo(account, sendFew(32 * 1024, 500));
    const answers = [...trickling, slow].map(({ answer }) => answer.then(({ status }) => status));
    expect(await Promise.race([...answers, after(11_000)])).toBeUndefined();

    const began = Date.now();
    const others = await Promise.all([1, 2, 3].map(() => openAccount()));
    const stored = await Promise.all(others.map((other) => uploadVideo(other, eager).answer));
    expect(stored.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(Date.now() - began).toBeLessThan(8000);
    ended = true;
    const statuses = await Promise.all(answers.slice(0, -1));
    const stalled = statuses.filter((status) => status === 408).length;
    expect(stalled).toBeGreaterThan(0);
    expect(statuses.filter((status) => status === 201)).toHaveLength(BUFFERS - 1 - stalled);
    expect((await slow.answer).status).toBe(201);
    await expectConsistent(account.id);
    expect(await storedKeys(account.id)).toHaveLength(BUFFERS - stalled);
  }, 40_000);
});
