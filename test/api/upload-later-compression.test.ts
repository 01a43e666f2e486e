import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { deflateSync } from "node:zlib";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Slot } from "../../src/media/slots.ts";
import { largeImageTurns } from "../../src/services/uploads/large-image-turns.ts";
import worker from "../../src/worker.ts";
import { expectConsistent, expectNothingLeft, readMeter, replayIntents, storedKeys } from "../support/account-state.ts";
import { BASE_URL, bearer, callJson, openAccount, type TestAccount, type UploadResult } from "../support/api.ts";
import { inChunks, multipartBody, streamOf } from "../support/multipart.ts";
import { header, pngFile, writePng } from "../support/png/write-png.ts";

// A large image that found no room in memory is stored as uploaded, and compressed once it is there.

/** Not packed at all. */
let picture: Uint8Array<ArrayBuffer>;
let turns: Slot[] = [];

beforeAll(() => {
  picture = new Uint8Array(
    writePng({
      width: 1600,
      height: 1200,
      colorType: 2,
      bitDepth: 8,
      level: 0,
      pixel: (x, y) => [x & 255, y & 255, 0],
    }),
  );
});

afterEach(() => {
  for (const turn of turns.splice(0)) turn.release();
});

function takeTurns(): void {
  turns = [1, 2].flatMap(() => largeImageTurns.tryTake() ?? []);
  expect(turns).toHaveLength(2);
}

async function openCompressingAccount(): Promise<TestAccount> {
  const account = await openAccount("pro");
  expect((await callJson("PATCH", "/settings", account.token, { autoCompress: true })).status).toBe(200);
  return account;
}

/** Uploads a picture while nobody gets a turn; they are given back as soon as it is stored. */
async function uploadWithoutTurn(
  account: TestAccount,
  files: Partial<R2Bucket> = {},
  content = picture,
  world: Partial<Env> = {},
): Promise<Response> {
  takeTurns();
  const ctx = createExecutionContext();
  const body = multipartBody("edge", [{ name: "file", filename: "a.png", content }]);
  const request = new Request(`${BASE_URL}/images/upload`, {
    method: "POST",
    headers: { ...bearer(account.token), "Content-Type": "multipart/form-data; boundary=edge" },
    body: streamOf(inChunks(body, 500_000)),
  });
  const bound = Object.fromEntries(
    (["put", "get", "head", "delete", "createMultipartUpload"] as const).map((name) => [
      name,
      env.FILES[name].bind(env.FILES),
    ]),
  );
  const answering = worker.fetch(
    request,
    { ...env, ...world, FILES: Object.assign(Object.create(env.FILES), bound, files) },
    ctx,
  );
  await expect.poll(() => storedKeys(account.id)).toHaveLength(1);
  for (const turn of turns.splice(0)) turn.release();
  const response = await answering;
  await waitOnExecutionContext(ctx);
  return response;
}

async function storedSize(account: TestAccount): Promise<number> {
  const { objects } = await env.FILES.list({ prefix: `uploads/${account.id}/` });
  return objects[0]?.size ?? 0;
}

const outage = () => Promise.reject(new Error("put: We encountered an internal error. Please try again. (10001)"));

describe("an image that was stored before it was compressed", () => {
  it("is what its result, its row and the figures say", async () => {
    const account = await openCompressingAccount();
    const response = await uploadWithoutTurn(account);
    expect(response.status).toBe(201);
    const result = await response.json<UploadResult>();
    expect(result).toMatchObject({ compressed: true, compressionQuality: 65, originalFileSize: picture.length });
    expect(result.fileSize).toBe(await storedSize(account));
    expect(result.fileSize).toBeLessThan(picture.length / 2);
    const object = await env.FILES.head(result.filename);
    expect(object?.httpMetadata?.contentType).toBe("image/png");
    await expectConsistent(account.id);
  });

  it.each<[string, Partial<R2Bucket>, boolean]>([
    ["cannot be read back", { get: outage as R2Bucket["get"] }, false],
    ["cannot be replaced", { put: outage as R2Bucket["put"] }, false],
    [
      "is replaced though the answer got lost",
      {
        put: (async (...args: Parameters<R2Bucket["put"]>) => {
          await env.FILES.put(...args);
          return outage();
        }) as R2Bucket["put"],
      },
      true,
    ],
  ])("and %s is still what its result says", async (_, files, compressed) => {
    const account = await openCompressingAccount();
    const response = await uploadWithoutTurn(account, files);
    expect(response.status).toBe(201);
    const result = await response.json<UploadResult>();
    expect(result).toMatchObject({ compressed, originalFileSize: picture.length });
    expect(result.fileSize).toBe(await storedSize(account));
    expect(result.fileSize === picture.length).toBe(!compressed);
    await expectConsistent(account.id);
  });

  it("and of which R2 no longer says what it is makes the upload fail, and nothing stays", async () => {
    const account = await openCompressingAccount();
    const response = await uploadWithoutTurn(account, {
      put: outage as R2Bucket["put"],
      head: outage as R2Bucket["head"],
    });
    expect(response.status).toBe(503);
    await expectNothingLeft(account.id);
  });

  it("and is undone by the alarm before it is replaced leaves nothing", async () => {
    const account = await openCompressingAccount();
    const put = (async (...args: Parameters<R2Bucket["put"]>) => {
      await replayIntents(account.id);
      return env.FILES.put(...args);
    }) as R2Bucket["put"];
    const response = await uploadWithoutTurn(account, { put });
    expect(response.status).toBe(503);
    await expectNothingLeft(account.id);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 0, usedTenths: 0 });
  });

  describe("by the media processor, as it has too many pixels,", () => {
    const huge = new Uint8Array(
      pngFile([
        ["IHDR", header({ width: 4000, height: 3000, bitDepth: 8, colorType: 2 })],
        ["IDAT", deflateSync(Buffer.alloc(7_000_000), { level: 0 })],
        ["IEND", Buffer.alloc(0)],
      ]),
    );
    const SIZE = 2_000_000;

    it.each([
      ["is the answer", SIZE, true],
      ["stays as it was where the answer breaks off", SIZE - 1, false],
      ["stays as it was where nothing is answered", 0, false],
    ])("%s", async (_, sentBytes, compressed) => {
      const account = await openCompressingAccount();
      const answer = () =>
        new Response(streamOf(inChunks(new Uint8Array(sentBytes), 100_000)), {
          headers: { "Content-Type": "image/png", "Content-Length": String(SIZE) },
        });
      const MEDIA_PROCESSOR = {
        getByName: () => ({ fetch: async () => answer() }),
      } as unknown as Env["MEDIA_PROCESSOR"];
      const response = await uploadWithoutTurn(account, {}, huge, { MEDIA_PROCESSOR });
      expect(response.status).toBe(201);
      expect(await response.json()).toMatchObject({
        compressed,
        fileSize: compressed ? SIZE : huge.length,
        originalFileSize: huge.length,
      });
      expect(await storedSize(account)).toBe(compressed ? SIZE : huge.length);
      await expectConsistent(account.id);
    });
  });
});
