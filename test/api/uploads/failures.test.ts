import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { largeFiles } from "../../../src/services/uploads/receive/upload-memory.ts";
import worker from "../../../src/worker.ts";
import {
  expectConsistent,
  expectNothingLeft,
  insertFolder,
  listSweeps,
  meterOf,
  readMeter,
  replayIntents,
  replayTwice,
  usageOf,
} from "../../support/api/account-state.ts";
import { BASE_URL, bearer, call, openAccount, type TestAccount, type UploadResult } from "../../support/api/api.ts";
import { failingStore, inLibraries, replaceLibraries } from "../../support/api/databases.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { type BodyPart, inChunks, multipartBody, streamOf, utf8 } from "../../support/uploads/multipart.ts";

const SMALL: BodyPart = { name: "file", filename: "a.png", content: png(1, 1, 3000) };
const VIDEO: BodyPart = { name: "file", filename: "a.mp4", content: mp4(4000) };
const LARGE: BodyPart = { name: "file", filename: "b.mp4", content: mp4(18_000_000) };

/** An upload through the Worker's own entry, with some failing bindings. */
async function uploadIn(world: Partial<Env>, account: TestAccount, parts: readonly BodyPart[]): Promise<Response> {
  return fetchIn(world, account, streamOf(inChunks(multipartBody("edge", parts), 500_000)));
}

async function fetchIn(
  world: Partial<Env>,
  account: TestAccount,
  body: ReadableStream,
  type = "multipart/form-data; boundary=edge",
): Promise<Response> {
  const ctx = createExecutionContext();
  const headers = { ...bearer(account.uploadKey), "Content-Type": type };
  const request = new Request(`${BASE_URL}/images/upload`, { method: "POST", headers, body });
  const response = await worker.fetch(request, { ...env, ...world }, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

function filesWith(replaced: Partial<R2Bucket>): Partial<Env> {
  return { FILES: Object.assign(Object.create(env.FILES), bindAll(env.FILES), replaced) };
}

/** The bucket's own methods, callable on a copy of it. */
function bindAll(bucket: R2Bucket): Partial<R2Bucket> {
  return {
    put: bucket.put.bind(bucket) as R2Bucket["put"],
    delete: bucket.delete.bind(bucket),
    head: bucket.head.bind(bucket),
    createMultipartUpload: bucket.createMultipartUpload.bind(bucket),
  };
}

/** A bucket with other multipart uploads. `opened` collects the begun ones. */
function multipartWith(change: (real: R2MultipartUpload) => Partial<R2MultipartUpload>, opened: R2MultipartUpload[]) {
  return filesWith({
    createMultipartUpload: async (key, options) => {
      const real = await env.FILES.createMultipartUpload(key, options);
      opened.push(real);
      return {
        key: real.key,
        uploadId: real.uploadId,
        uploadPart: (number, value) => real.uploadPart(number, value),
        abort: () => real.abort(),
        complete: (parts) => real.complete(parts),
        ...change(real),
      };
    },
  });
}

const outage = () => Promise.reject(new Error("put: We encountered an internal error. Please try again. (10001)"));

async function expectUnavailable(account: TestAccount, response: Response): Promise<void> {
  const body = await response.json<{ statusCode: number; details: { retryAfter: number } }>();
  expect(response.status, JSON.stringify(body)).toBe(503);
  expect(body).toMatchObject({ statusCode: 503, details: { retryAfter: expect.any(Number) } });
  expect(response.headers.get("Retry-After")).toBe(String(body.details.retryAfter));
  expect(await readMeter(account.id)).toMatchObject({ storageBytes: 0, usedTenths: 0, operations: [] });
}

describe("Outages", () => {
  it.each<[string, Partial<Env>, BodyPart[]]>([
    ["R2, at a small file", filesWith({ put: outage }), [SMALL]],
    ["R2, at beginning a large file", filesWith({ createMultipartUpload: outage }), [LARGE]],
    ["D1, at the row", withFailingBatch(), [SMALL, LARGE]],
    ["the queue", { UPLOADS: failingStore<Queue>() }, [SMALL, VIDEO, LARGE]],
  ])("An outage during an upload is 503, and nothing is kept (%s)", async (_, world, parts) => {
    const account = await openAccount();
    await expectUnavailable(account, await uploadIn(world, account, parts));
    await expectNothingLeft(account.id);
  });

  it("An outage during an upload is 503, and nothing is kept (R2, at the second of several files)", async () => {
    const account = await openAccount();
    let puts = 0;
    const put = ((...args: Parameters<R2Bucket["put"]>) => {
      puts += 1;
      return puts > 1 ? outage() : env.FILES.put(...args);
    }) as R2Bucket["put"];
    await expectUnavailable(account, await uploadIn(filesWith({ put }), account, [SMALL, SMALL, SMALL, LARGE]));
    await expectNothingLeft(account.id);
  });

  it.each([1, 2, 3])(
    "An outage during an upload is 503, and nothing is kept (R2, at part %d of a large file)",
    async (failing) => {
      const account = await openAccount();
      const opened: R2MultipartUpload[] = [];
      const world = multipartWith(
        (real) => ({ uploadPart: (number, value) => (number === failing ? outage() : real.uploadPart(number, value)) }),
        opened,
      );
      await expectUnavailable(account, await uploadIn(world, account, [LARGE]));
      await expectNothingLeft(account.id);
      expect(opened).toHaveLength(1);
      await expect(opened[0]?.uploadPart(1, new Uint8Array(10))).rejects.toThrow();
    },
  );
});

it("A large file that R2 completed before a lost answer is stored", async () => {
  const account = await openAccount();
  const world = multipartWith((real) => ({ complete: (parts) => real.complete(parts).then(outage) }), []);
  expect((await uploadIn(world, account, [LARGE])).status).toBe(201);
  await expectConsistent(account.id);
});

describe("Outages during an undo", () => {
  it("An upload that an outage keeps from being undone is left to the account's alarm", async () => {
    const account = await openAccount();
    const world = { ...filesWith({ delete: outage }), UPLOADS: failingStore<Queue>() };
    await expectUnavailable(account, await uploadIn(world, account, [SMALL, VIDEO]));
    expect(await listSweeps(account.id)).toHaveLength(2);
    await replayTwice(account.id);
    await expectNothingLeft(account.id);
  });

  it("A large upload that an outage keeps from being undone is left to the alarm as well", async () => {
    const account = await openAccount();
    const opened: R2MultipartUpload[] = [];
    const world = multipartWith(() => ({ complete: outage, abort: outage }), opened);
    await expectUnavailable(account, await uploadIn(world, account, [LARGE]));
    await replayTwice(account.id);
    await expectNothingLeft(account.id);
    await expect(opened[0]?.uploadPart(1, new Uint8Array(10))).rejects.toThrow();
  });
});

describe("Outages of the meter", () => {
  it.each([
    ["before it settled", false],
    ["after it settled", true],
  ])("An outage of the meter at settling (%s) loses nothing and counts once", async (_, settles) => {
    const account = await openAccount();
    const meter = meterOf(account.id);
    const stub = new Proxy(meter, {
      get(target, name) {
        if (name !== "settleUploads") return (...args: unknown[]) => Reflect.get(target, name)(...args);
        return async (stored: { uploadId: string; sizeBytes: number }[]) => {
          if (settles) await target.settleUploads(stored);
          throw Object.assign(new Error("Network connection lost."), { retryable: true });
        };
      },
    });
    const ACCOUNT_METER = { getByName: () => stub } as unknown as Env["ACCOUNT_METER"];
    const response = await uploadIn({ ACCOUNT_METER }, account, [SMALL, VIDEO]);
    expect(response.status).toBe(503);
    await replayTwice(account.id);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 7000, usedTenths: 20 });
    await expectConsistent(account.id);
  });
});

it("An upload that the alarm has undone is 503, and nothing is kept", async () => {
  const account = await openAccount();
  const put = (async (...args: Parameters<R2Bucket["put"]>) => {
    const object = await env.FILES.put(...args);
    await replayIntents(account.id);
    return object;
  }) as R2Bucket["put"];
  await expectUnavailable(account, await uploadIn(filesWith({ put }), account, [SMALL]));
  await expectNothingLeft(account.id);
});

it("An upload whose folder is deleted meanwhile is 404, and nothing is kept", async () => {
  const account = await openAccount();
  const folderId = await insertFolder(account.id);
  const put = (async (...args: Parameters<R2Bucket["put"]>) => {
    await inLibraries("DELETE FROM folders WHERE id = ?", folderId);
    return env.FILES.put(...args);
  }) as R2Bucket["put"];
  const response = await uploadIn(filesWith({ put }), account, [{ name: "folderId", content: utf8(folderId) }, SMALL]);
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ error: "Folder not found", code: "folder_not_found", statusCode: 404 });
  expect(usageOf(response)).toEqual({ storage: 0, operations: 0 });
  await expectNothingLeft(account.id);
});

it("An upload whose account is erased meanwhile is 401, and nothing is kept", async () => {
  const account = await openAccount();
  const put = (async (...args: Parameters<R2Bucket["put"]>) => {
    await inLibraries("DELETE FROM libraries WHERE id = ?", account.id);
    return env.FILES.put(...args);
  }) as R2Bucket["put"];
  const response = await uploadIn(filesWith({ put }), account, [SMALL]);
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ error: "Invalid or missing API key", code: "invalid_key", statusCode: 401 });
  await expectNothingLeft(account.id);
});

describe("Slow clients", () => {
  const body = multipartBody("edge", [SMALL, LARGE]);

  function paced(pauseMs: number, pauses: number): ReadableStream {
    const chunks = inChunks(body, Math.ceil(body.length / pauses));
    return new ReadableStream({
      type: "bytes",
      async pull(controller) {
        const { value, done } = chunks.next();
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        if (!done) return controller.enqueue(new Uint8Array(value));
        controller.close();
        controller.byobRequest?.respond(0);
      },
    });
  }

  it("A client that stops sending gets 408, and nothing is kept", async () => {
    const account = await openAccount();
    const stalled = new ReadableStream({
      type: "bytes",
      start: (controller) => controller.enqueue(body.slice(0, 8_000_000)),
    });
    const response = await fetchIn({ INTENT_TIMEOUT_SECONDS: "1" }, account, stalled);
    expect(response.status).toBe(408);
    expect(await response.json()).toMatchObject({
      error: expect.any(String),
      code: expect.any(String),
      statusCode: 408,
    });
    await expectNothingLeft(account.id);
  });

  it("A client that stops sending a body of unknown length gets 408 as well, and no half file", async () => {
    const account = await openAccount();
    const stalled = new ReadableStream({ type: "bytes", start: (controller) => controller.enqueue(mp4(4000)) });
    const response = await fetchIn({ INTENT_TIMEOUT_SECONDS: "1" }, account, stalled, "video/mp4");
    expect(response.status).toBe(408);
    await expectNothingLeft(account.id);
  });

  it("A client that waits for the server's memory is not disconnected", async () => {
    const account = await openAccount();
    const others = largeFiles.tryTake(largeFiles.freeBytes);
    expect(others).toBeDefined();
    const answering = fetchIn({ INTENT_TIMEOUT_SECONDS: "2" }, account, streamOf(inChunks(body, 500_000)));
    await new Promise((resolve) => setTimeout(resolve, 4000));
    others?.release();
    expect((await answering).status).toBe(201);
    await expectConsistent(account.id);
  });

  it("A client that waits for R2 is not disconnected", async () => {
    const account = await openAccount();
    const world = multipartWith(
      (real) => ({
        uploadPart: async (number, value) => {
          const part = await real.uploadPart(number, value);
          await new Promise((resolve) => setTimeout(resolve, 3000));
          return part;
        },
      }),
      [],
    );
    const chunks = streamOf(inChunks(multipartBody("edge", [LARGE]), 500_000));
    const response = await fetchIn({ ...world, INTENT_TIMEOUT_SECONDS: "2" }, account, chunks);
    expect(response.status).toBe(201);
    await expectConsistent(account.id);
  });

  it("A slow client that keeps sending keeps its reservation", async () => {
    const account = await openAccount();
    // The upload takes longer than the timeout, and a busy machine may keep it silent for 4.5 s.
    const uploading = fetchIn({ INTENT_TIMEOUT_SECONDS: "6" }, account, paced(120, 80));
    const dueTimes = new Set<number>();
    for (let i = 0; i < 80; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (const intent of (await readMeter(account.id)).intents) dueTimes.add(intent.due_at);
    }
    const response = await uploading;
    expect(response.status).toBe(201);
    expect((await response.json<{ uploaded: UploadResult[] }>()).uploaded).toHaveLength(2);
    expect(dueTimes.size).toBeGreaterThan(1);
    await expectConsistent(account.id);
    expect((await call("/images", { headers: bearer(account.token) })).status).toBe(200);
  });
});

function withFailingBatch(): Partial<Env> {
  const batch = () => Promise.reject(new Error("D1_ERROR: Network connection lost."));
  return replaceLibraries(
    (real) => ({ prepare: (query: string) => real.prepare(query), batch }) as unknown as D1Database,
  );
}
