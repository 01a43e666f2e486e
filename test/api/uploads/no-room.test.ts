import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import worker from "../../../src/worker.ts";
import {
  expectConsistent,
  expectNothingLeft,
  readMeter,
  setStorageBytes,
  setUsedTenths,
} from "../../support/api/account-state.ts";
import { BASE_URL, bearer, call, callJson, openAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { png } from "../../support/media/samples.ts";
import { multipartBody, streamOf } from "../../support/uploads/multipart.ts";

// An upload that cannot be stored is not compressed first, and an unwanted answer is cancelled.

const LIMIT = 10 * 1024 ** 3;
const COMPRESSED_BYTES = 3000;

/** A lossy WebP (RFC 9649, 2.5) of so large dimensions that the media processor is called. */
const PICTURE = webpOf(4000, 3000, 20_000);

function webpOf(width: number, height: number, dataBytes: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(20 + dataBytes);
  const view = new DataView(file.buffer);
  file.set(new TextEncoder().encode("RIFF"), 0);
  view.setUint32(4, 12 + dataBytes, true);
  file.set(new TextEncoder().encode("WEBPVP8 "), 8);
  view.setUint32(16, dataBytes, true);
  // RFC 6386, 9.1: a visible key frame, its start code, its size.
  file.set([0x10, 0, 0, 0x9d, 0x01, 0x2a], 20);
  view.setUint16(26, width, true);
  view.setUint16(28, height, true);
  return file;
}

async function openCompressingAccount(): Promise<TestAccount> {
  const account = await openAccount("pro");
  expect((await callJson("PATCH", "/settings", account.token, { autoCompress: true })).status).toBe(200);
  return account;
}

/** A processor that answers with a smaller image, and the end of its answers. */
function openProcessor() {
  const seen = { asked: 0, cancelled: 0 };
  const answer = () => {
    seen.asked += 1;
    let sent = 0;
    const body = new ReadableStream({
      type: "bytes",
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (sent < COMPRESSED_BYTES) controller.enqueue(new Uint8Array(1000));
        sent += 1000;
        if (sent <= COMPRESSED_BYTES) return;
        controller.close();
        controller.byobRequest?.respond(0);
      },
      cancel() {
        seen.cancelled += 1;
      },
    });
    return new Response(body, {
      headers: { "Content-Type": "image/webp", "Content-Length": String(COMPRESSED_BYTES) },
    });
  };
  const binding = { getByName: () => ({ fetch: async () => answer() }) } as unknown as Env["MEDIA_PROCESSOR"];
  return { seen, world: { MEDIA_PROCESSOR: binding } };
}

async function uploadIn(
  world: Partial<Env>,
  account: TestAccount,
  chunks: Iterable<Uint8Array> = [multipartBody("edge", [{ name: "file", filename: "a.webp", content: PICTURE }])],
): Promise<Response> {
  const ctx = createExecutionContext();
  const request = new Request(`${BASE_URL}/images/upload`, {
    method: "POST",
    headers: { ...bearer(account.token), "Content-Type": "multipart/form-data; boundary=edge" },
    body: streamOf(chunks),
  });
  const response = await worker.fetch(request, { ...env, ...world }, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

function filesWithPut(put: R2Bucket["put"]): Partial<Env> {
  const methods = (["get", "head", "delete"] as const).map((name) => [name, env.FILES[name].bind(env.FILES)]);
  return { FILES: Object.assign(Object.create(env.FILES), Object.fromEntries(methods), { put }) };
}

describe("Images without room", () => {
  it("An image is 413 before it is compressed if the storage is full", async () => {
    const account = await openCompressingAccount();
    await setStorageBytes(account.id, LIMIT);
    const { seen, world } = openProcessor();
    expect((await uploadIn(world, account)).status).toBe(413);
    expect(seen.asked).toBe(0);
    await expectNothingLeft(account.id);
  });

  it("An image is 429 before it is compressed if the month's operations are used up", async () => {
    const account = await openCompressingAccount();
    await setUsedTenths(account.id, 10_000_000);
    const { seen, world } = openProcessor();
    const response = await uploadIn(world, account);
    expect(response.status).toBe(429);
    const { details } = await response.json<{ details: { retryAfter: number } }>();
    expect(response.headers.get("Retry-After")).toBe(String(details.retryAfter));
    expect(seen.asked).toBe(0);
    await expectNothingLeft(account.id);
  });

  it("An image that did not fit at first is stored if storage was freed before its end", async () => {
    const account = await openCompressingAccount();
    const { _id } = await uploadOne(account.token, { name: "b.png", bytes: png(1, 1, 9000) });
    await setStorageBytes(account.id, LIMIT);
    const { world } = openProcessor();
    const body = multipartBody("edge", [{ name: "file", filename: "a.webp", content: PICTURE }]);
    const deleted = Promise.withResolvers<void>();
    const ctx = createExecutionContext();
    const stream = new ReadableStream({
      type: "bytes",
      async pull(controller) {
        const response = await call(`/images/${_id}`, { method: "DELETE", headers: bearer(account.token) });
        expect(response.status).toBe(200);
        deleted.resolve();
        controller.enqueue(body.slice());
        controller.close();
      },
    });
    const headers = { ...bearer(account.token), "Content-Type": "multipart/form-data; boundary=edge" };
    const request = new Request(`${BASE_URL}/images/upload`, { method: "POST", headers, body: stream });
    const response = await worker.fetch(request, { ...env, ...world }, ctx);
    await waitOnExecutionContext(ctx);
    await deleted.promise;
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ compressed: true, fileSize: COMPRESSED_BYTES });
    expect((await readMeter(account.id)).storageBytes).toBe(LIMIT - 9000 + COMPRESSED_BYTES);
  });
});

describe("Processor answers", () => {
  it("A processor's answer that does not fit into the storage is cancelled", async () => {
    const account = await openCompressingAccount();
    await setStorageBytes(account.id, LIMIT - COMPRESSED_BYTES + 1);
    const { seen, world } = openProcessor();
    expect((await uploadIn(world, account)).status).toBe(413);
    expect(seen).toEqual({ asked: 1, cancelled: 1 });
    await expectNothingLeft(account.id);
  });

  it.each<[string, (puts: number) => boolean, object, [number, number]]>([
    ["does not take for a moment", (puts) => puts === 1, { compressed: true, fileSize: COMPRESSED_BYTES }, [2, 1]],
    ["takes never", () => true, { compressed: false, fileSize: PICTURE.length }, [3, 3]],
  ])(
    "A processor's answer that R2 %s is cancelled, requested again, and given up in the end",
    async (_, fails, expected, [asked, cancelled]) => {
      const account = await openCompressingAccount();
      const { seen, world } = openProcessor();
      let puts = 0;
      const files = filesWithPut((async (...args: Parameters<R2Bucket["put"]>) => {
        puts += 1;
        const isResult = puts <= 3;
        if (isResult && fails(puts))
          throw new Error("put: We encountered an internal error. Please try again. (10001)");
        return env.FILES.put(...args);
      }) as R2Bucket["put"]);
      const response = await uploadIn({ ...world, ...files }, account);
      expect(response.status).toBe(201);
      expect(await response.json()).toMatchObject(expected);
      expect(seen).toEqual({ asked, cancelled });
      await expectConsistent(account.id);
    },
  );

  it("A processor's answer that fits is stored whole", async () => {
    const account = await openCompressingAccount();
    await setStorageBytes(account.id, LIMIT - COMPRESSED_BYTES);
    const { seen, world } = openProcessor();
    const response = await uploadIn(world, account);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ compressed: true, fileSize: COMPRESSED_BYTES });
    expect(seen).toEqual({ asked: 1, cancelled: 0 });
  });
});
