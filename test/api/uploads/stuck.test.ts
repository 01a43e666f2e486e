import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it, vi } from "vitest";
import { largeFiles, smallFiles, windows } from "../../../src/services/uploads/receive/upload-memory.ts";
import worker from "../../../src/worker.ts";
import {
  expectConsistent,
  expectNothingLeft,
  listSweeps,
  meterOf,
  readMeter,
  replaceStores,
  uploadRowIds,
} from "../../support/api/account-state.ts";
import { BASE_URL, bearer, call, openAccount, type TestAccount } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { inChunks, multipartBody, streamOf } from "../../support/uploads/multipart.ts";
import { begin, OFFSET_TYPE, patch, TUS } from "../../support/uploads/tus.ts";

// A request whose store does not answer renews nothing for a long time. Then the account's alarm takes over its upload.

const MIB = 1024 * 1024;
const PART = 8 * MIB;
const FORM = "multipart/form-data; boundary=edge";
/** After three of these a request counts as stuck, and after one more its upload is undone. */
const TIMEOUT = { INTENT_TIMEOUT_SECONDS: "1" };
const STUCK_MS = 3000;
const WAIT_MS = 30_000;

/** Fails the calls that were not answered. */
const unanswered: ((error: Error) => void)[] = [];

/** Their requests hold memory of the isolate, for which the uploads of the next test file would wait. */
afterAll(async () => {
  for (const fail of unanswered) fail(new Error("The test has ended"));
  for (const budget of [largeFiles, smallFiles, windows]) {
    await vi.waitFor(() => expect(budget.freeBytes).toBe(budget.totalBytes), WAIT_MS);
  }
});

/** R2 whose calls are not answered while `isFull`, nor afterwards. */
class FullBucket {
  isFull = true;
  calls = 0;

  /** @param names the calls that are not answered */
  bucket(...names: string[]): R2Bucket {
    return this.#wrap(env.FILES, new Set(names)) as R2Bucket;
  }

  #wrap(store: object, names: ReadonlySet<string>): object {
    return new Proxy(store, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          if (this.isFull && names.has(String(property))) {
            this.calls += 1;
            return new Promise((_, reject) => unanswered.push(reject));
          }
          const result: unknown = member.apply(target, args);
          if (property === "resumeMultipartUpload") return this.#wrap(result as object, names);
          if (property !== "createMultipartUpload") return result;
          return (result as Promise<object>).then((multipart) => this.#wrap(multipart, names));
        };
      },
    });
  }
}

function send(account: TestAccount, files: R2Bucket, type: string, body: Uint8Array): void {
  const headers = { ...bearer(account.uploadKey), "Content-Type": type };
  const request = new Request(`${BASE_URL}/images/upload`, {
    method: "POST",
    headers,
    body: streamOf(inChunks(body, 500_000)),
  });
  answerIn(request, files).catch(() => undefined);
}

async function answerIn(request: Request, files: R2Bucket): Promise<Response> {
  return worker.fetch(request, { ...env, ...TIMEOUT, FILES: files }, createExecutionContext());
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + WAIT_MS;
  while (!(await isDone())) {
    if (Date.now() > endsAt) throw new Error("It does not come");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function overdueOf(accountId: string): Promise<{ id: string; attempts: number; reason: string }[]> {
  const listed = await env.SERVICE_METER.getByName("service").listIntents(0, 10_000);
  return listed.filter((intent) => intent.accountId === accountId);
}

const hasIntents = async (id: string) => (await readMeter(id)).intents.length > 0;
const isClean = async (id: string) => !(await hasIntents(id)) && (await listSweeps(id)).length === 0;

async function storageOf({ token }: TestAccount): Promise<number> {
  const response = await call("/stats/overview", { headers: bearer(token) });
  return (await response.json<{ storage: { used: number } }>()).storage.used;
}

async function expectAllFree(account: TestAccount): Promise<void> {
  const limit = 1024 ** 3;
  const uploadId = "01arz3ndektsv4rrffq69g5fav";
  const meter = meterOf(account.id);
  const answer = await meter.reserve({ kind: "upload", uploadId, objectKey: "k", keyId: null }, limit, limit);
  expect(answer).toMatchObject({ outcome: "reserved", reservedBytes: limit });
  await meter.release([uploadId]);
}

describe("Stuck requests", () => {
  it.each([
    ["a form's small files", FORM, "put", multipartBody("edge", [1, 2, 3].map(picture))],
    ["a raw body of more than a part", "video/mp4", "uploadPart", mp4(10 * MIB)],
  ])(
    "A stuck request keeps %s for a while, then the alarm undoes them",
    { timeout: 2 * WAIT_MS },
    async (_, type, name, body) => {
      const account = await openAccount();
      const store = new FullBucket();
      await replaceStores(account.id, TIMEOUT);
      const startedAt = Date.now();
      send(account, store.bucket(name), type, body);
      await until(() => hasIntents(account.id));
      await until(async () => !(await hasIntents(account.id)));
      expect(Date.now() - startedAt).toBeGreaterThan(STUCK_MS);
      expect(store.calls).toBeGreaterThan(0);
      await until(() => isClean(account.id));
      await expectNothingLeft(account.id);
      expect(await storageOf(account)).toBe(0);
      expect(await overdueOf(account.id)).toEqual([]);
      await expectAllFree(account);
    },
  );

  it("A stuck request is listed as overdue while R2 does not answer, and no longer afterwards", {
    timeout: 2 * WAIT_MS,
  }, async () => {
    const account = await openAccount();
    const store = new FullBucket();
    const files = store.bucket("put", "delete", "head");
    await replaceStores(account.id, { ...TIMEOUT, FILES: files });
    send(account, files, FORM, multipartBody("edge", [picture(1), picture(2)]));
    await until(async () => (await overdueOf(account.id)).length === 2);
    const [overdue] = await overdueOf(account.id);
    expect(overdue).toMatchObject({ kind: "upload", reason: "Error: R2 did not answer delete within 1 s" });
    expect(overdue?.attempts).toBeGreaterThan(0);
    store.isFull = false;
    await until(async () => (await isClean(account.id)) && (await overdueOf(account.id)).length === 0);
    await expectNothingLeft(account.id);
    expect(await storageOf(account)).toBe(0);
    await expectAllFree(account);
  });

  it("A stuck request lets another request resume an upload in pieces", { timeout: 2 * WAIT_MS }, async () => {
    const account = await openAccount();
    const bytes = mp4(PART + 5000);
    const path = await begin(account.uploadKey, bytes.length);
    const headers = { ...bearer(account.uploadKey), ...TUS, ...OFFSET_TYPE, "Upload-Offset": "0" };
    const request = new Request(BASE_URL + path, { method: "PATCH", headers, body: bytes });
    const store = new FullBucket();
    answerIn(request, store.bucket("uploadPart")).catch(() => undefined);
    await until(async () => store.calls > 0);
    await until(async () => (await patch(account.uploadKey, path, 0, bytes)).status === 200);
    expect(await uploadRowIds(account.id)).toEqual([path.split("/").at(-1)]);
    await expectConsistent(account.id);
  });
});

it("A slow client that keeps sending keeps its upload for any time", { timeout: WAIT_MS }, async () => {
  const account = await openAccount();
  await replaceStores(account.id, { INTENT_TIMEOUT_SECONDS: "2" });
  const chunks = inChunks(multipartBody("edge", [picture(1), { ...picture(2), content: mp4(9 * MIB) }]), 100_000);
  const body = new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const { value, done } = chunks.next();
      await new Promise((resolve) => setTimeout(resolve, 80));
      if (!done) return controller.enqueue(new Uint8Array(value));
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
  const headers = { ...bearer(account.uploadKey), "Content-Type": FORM };
  const request = new Request(`${BASE_URL}/images/upload`, { method: "POST", headers, body });
  const startedAt = Date.now();
  const world = { ...env, INTENT_TIMEOUT_SECONDS: "2" };
  expect((await worker.fetch(request, world, createExecutionContext())).status).toBe(201);
  expect(Date.now() - startedAt).toBeGreaterThan(3 * 2000);
  await expectConsistent(account.id);
});

function picture(number: number) {
  return { name: "file", filename: `${number}.png`, content: png(1, 1, 3000) };
}
