import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import worker from "../../../src/worker.ts";
import {
  expectConsistent,
  expectNothingLeft,
  readMeter,
  replayIntents,
  replayTwice,
  setStorageBytes,
  storedKeys,
  usageOf,
} from "../../support/api/account-state.ts";
import { BASE_URL, bearer, callJson, openAccount, type TestAccount, type UploadResult } from "../../support/api/api.ts";
import { extension, writeGif } from "../../support/gif/write-gif.ts";
import { png } from "../../support/media/samples.ts";
import { writePng } from "../../support/png/write-png.ts";
import { inChunks, multipartBody, streamOf } from "../../support/uploads/multipart.ts";

// An image of more than one part streams to R2 as uploaded, and is compressed from there.

const MIB = 1024 * 1024;
const LIMIT = 10 * 1024 ** 3;

interface NamedImage {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

let screenshot: NamedImage;
let drawing: NamedImage;

beforeAll(() => {
  const pixel = (x: number, y: number) => [x & 255, y & 255, 0];
  const size = { width: 2000, height: 1500 };
  screenshot = {
    name: "a.png",
    bytes: new Uint8Array(writePng({ ...size, colorType: 2, bitDepth: 8, level: 0, pixel })),
  };
  const gif = writeGif({
    width: 40,
    height: 30,
    colours: [
      [0, 0, 0],
      [255, 0, 0],
    ],
    blocks: [extension(0xfe, new Uint8Array(9 * MIB))],
    frames: [{ width: 40, height: 30, pixel: (x, y) => (x + y) & 1 }],
  });
  drawing = { name: "b.gif", bytes: new Uint8Array(gif) };
});

async function openCompressingAccount(): Promise<TestAccount> {
  const account = await openAccount("pro");
  expect((await callJson("PATCH", "/settings", account.token, { autoCompress: true })).status).toBe(200);
  return account;
}

/** Uploads images with an R2 that has other methods. */
async function uploadIn(files: Partial<R2Bucket>, account: TestAccount, ...images: NamedImage[]): Promise<Response> {
  const ctx = createExecutionContext();
  const body = multipartBody(
    "edge",
    images.map(({ name, bytes }) => ({ name: "file", filename: name, content: bytes })),
  );
  const request = new Request(`${BASE_URL}/images/upload`, {
    method: "POST",
    headers: { ...bearer(account.token), "Content-Type": "multipart/form-data; boundary=edge" },
    body: streamOf(inChunks(body, 500_000)),
  });
  const names = ["put", "get", "head", "delete", "createMultipartUpload", "resumeMultipartUpload"] as const;
  const bound = Object.fromEntries(names.map((name) => [name, env.FILES[name].bind(env.FILES)]));
  const world = { ...env, FILES: Object.assign(Object.create(env.FILES), bound, files) };
  const response = await worker.fetch(request, world, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

async function storedSize(account: TestAccount): Promise<number> {
  const { objects } = await env.FILES.list({ prefix: `uploads/${account.id}/` });
  return objects[0]?.size ?? 0;
}

const outage = () => Promise.reject(new Error("put: We encountered an internal error. Please try again. (10001)"));

const putWithoutAnswer = (async (...args: Parameters<R2Bucket["put"]>) => {
  await env.FILES.put(...args);
  return outage();
}) as R2Bucket["put"];

function failingFirstPut(when: "before" | "after"): R2Bucket["put"] {
  let puts = 0;
  return (async (...args: Parameters<R2Bucket["put"]>) => {
    puts += 1;
    if (puts > 1) return env.FILES.put(...args);
    return when === "before" ? outage() : putWithoutAnswer(...args);
  }) as R2Bucket["put"];
}

describe("Large images", () => {
  it("A large image agrees with its result, its row and the figures", async () => {
    const account = await openCompressingAccount();
    const response = await uploadIn({}, account, screenshot);
    expect(response.status).toBe(201);
    const result = await response.json<UploadResult>();
    const originalFileSize = screenshot.bytes.length;
    expect(result).toMatchObject({ compressed: true, compressionQuality: 65, originalFileSize });
    expect(result.size).toEqual({ width: 2000, height: 1500 });
    expect(result.fileSize).toBe(await storedSize(account));
    expect(result.fileSize).toBeLessThan(originalFileSize / 2);
    expect((await env.FILES.head(result.filename))?.httpMetadata?.contentType).toBe("image/png");
    await expectConsistent(account.id);
  });

  it("A large static GIF becomes a PNG, and its name with it; nothing of the GIF is kept", async () => {
    const account = await openCompressingAccount();
    const response = await uploadIn({}, account, drawing);
    expect(response.status).toBe(201);
    const result = await response.json<UploadResult>();
    expect(result).toMatchObject({ mimeType: "image/png", compressed: true, originalFilename: "b.gif" });
    expect(result.filename).toMatch(/-b\.png$/);
    expect(result.originalFileSize).toBe(drawing.bytes.length);
    expect(await storedKeys(account.id)).toEqual([result.filename]);
    expect((await env.FILES.head(result.filename))?.httpMetadata?.contentType).toBe("image/png");
    await expectConsistent(account.id);
  });

  it.each<[string, "png" | "gif", Partial<R2Bucket>, boolean]>([
    ["a PNG that cannot be read back", "png", { get: outage as R2Bucket["get"] }, false],
    ["a PNG that cannot be replaced", "png", { put: outage as R2Bucket["put"] }, false],
    ["a PNG that is replaced though the answer got lost", "png", { put: putWithoutAnswer }, true],
    ["a GIF that cannot be read back", "gif", { get: outage as R2Bucket["get"] }, false],
    ["a GIF whose PNG cannot be stored", "gif", { put: outage as R2Bucket["put"] }, false],
    ["a GIF whose PNG is stored though the answer got lost", "gif", { put: putWithoutAnswer }, false],
  ])("A large image (%s) agrees with its result", async (_, kind, files, compressed) => {
    const account = await openCompressingAccount();
    const image = kind === "png" ? screenshot : drawing;
    const response = await uploadIn(files, account, image);
    expect(response.status).toBe(201);
    const result = await response.json<UploadResult>();
    expect(result).toMatchObject({ compressed, originalFileSize: image.bytes.length });
    expect(result.mimeType).toBe(`image/${kind}`);
    expect(result.fileSize).toBe(await storedSize(account));
    expect(result.fileSize === image.bytes.length).toBe(!compressed);
    await expectConsistent(account.id);
  });

  it.each(["png", "gif"] as const)("A large image (a %s) is compressed even if R2 fails for a moment", async (kind) => {
    const account = await openCompressingAccount();
    const image = kind === "png" ? screenshot : drawing;
    for (const when of ["before", "after"] as const) {
      const response = await uploadIn({ put: failingFirstPut(when) }, account, image);
      expect(response.status).toBe(201);
      const result = await response.json<UploadResult>();
      expect(result).toMatchObject({ compressed: true, mimeType: "image/png" });
      expect((await env.FILES.head(result.filename))?.size).toBe(result.fileSize);
    }
    await expectConsistent(account.id);
  });

  it("A large image that fits only when it is compressed is stored even if R2 fails for a moment", async () => {
    const account = await openCompressingAccount();
    await setStorageBytes(account.id, LIMIT - 2 * MIB);
    expect((await uploadIn({ put: failingFirstPut("before") }, account, screenshot)).status).toBe(201);
  });

  it.each<[string, "png" | "gif", Partial<R2Bucket>]>([
    ["a PNG of which R2 does not say what it is", "png", { put: outage as never, head: outage as never }],
    ["a GIF that cannot be deleted", "gif", { delete: outage as R2Bucket["delete"] }],
  ])("A large image (%s) makes the upload fail, and nothing is kept", async (_, kind, files) => {
    const account = await openCompressingAccount();
    const response = await uploadIn(files, account, kind === "png" ? screenshot : drawing);
    expect(response.status).toBe(503);
    await replayTwice(account.id);
    await expectNothingLeft(account.id);
    expect(await readMeter(account.id)).toMatchObject({ storageBytes: 0, usedTenths: 0 });
  });

  it.each(["png", "gif"])(
    "A large image (a %s) that the alarm undoes before it is replaced leaves nothing",
    async (kind) => {
      const account = await openCompressingAccount();
      const put = (async (...args: Parameters<R2Bucket["put"]>) => {
        await replayIntents(account.id);
        return env.FILES.put(...args);
      }) as R2Bucket["put"];
      const response = await uploadIn({ put }, account, kind === "png" ? screenshot : drawing);
      expect(response.status).toBe(503);
      await expectNothingLeft(account.id);
      expect(await readMeter(account.id)).toMatchObject({ storageBytes: 0, usedTenths: 0 });
    },
  );

  it("A large image does not delay the request's next file by its compression", async () => {
    const account = await openCompressingAccount();
    const order: string[] = [];
    const get = (async (...args: Parameters<R2Bucket["get"]>) => {
      await expect.poll(() => order).toContain("put");
      order.push("get");
      return env.FILES.get(...args);
    }) as R2Bucket["get"];
    const put = (async (...args: Parameters<R2Bucket["put"]>) => {
      order.push("put");
      return env.FILES.put(...args);
    }) as R2Bucket["put"];
    const response = await uploadIn({ get, put }, account, screenshot, { name: "c.png", bytes: png(3, 2, 60_000) });
    expect(response.status).toBe(201);
    expect(order.slice(0, 2)).toEqual(["put", "get"]);
    await expectConsistent(account.id);
  });
});

describe("Images larger than the free storage", () => {
  it.each(["png", "gif"])(
    "An image larger than the free storage (a %s) is stored if its compressed form fits",
    async (kind) => {
      const account = await openCompressingAccount();
      await setStorageBytes(account.id, LIMIT - 2 * MIB);
      const response = await uploadIn({}, account, kind === "png" ? screenshot : drawing);
      expect(response.status).toBe(201);
      const { fileSize } = await response.json<UploadResult>();
      const { storageBytes, intents } = await readMeter(account.id);
      expect({ storageBytes, intents }).toEqual({ storageBytes: LIMIT - 2 * MIB + fileSize, intents: [] });
    },
  );

  it.each(["png", "gif"])(
    "An image whose compressed form (a %s) does not fit either is 413, and nothing is kept",
    async (kind) => {
      const account = await openCompressingAccount();
      await setStorageBytes(account.id, LIMIT - 50);
      const response = await uploadIn({}, account, kind === "png" ? screenshot : drawing);
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^Storage limit exceeded\./) });
      expect(usageOf(response)).toEqual({ storage: LIMIT - 50, operations: 0 });
      await expectNothingLeft(account.id);
    },
  );

  it("An image larger than the free storage is 413 if it could not be compressed, and not kept", async () => {
    const account = await openCompressingAccount();
    await setStorageBytes(account.id, LIMIT - 2 * MIB);
    const response = await uploadIn({ get: outage as R2Bucket["get"] }, account, screenshot);
    expect(response.status).toBe(413);
    await expectNothingLeft(account.id);
  });

  it("An image larger than the free storage is 413 once it is too large for compression", async () => {
    const account = await openCompressingAccount();
    await setStorageBytes(account.id, LIMIT - 2 * MIB);
    const bytes = new Uint8Array(60 * MIB);
    bytes.set(screenshot.bytes);
    const response = await uploadIn({}, account, { name: "huge.png", bytes });
    expect(response.status).toBe(413);
    await expectNothingLeft(account.id);
  });

  it("An image larger than the free storage is refused, and the others of its request are stored", async () => {
    const account = await openCompressingAccount();
    await setStorageBytes(account.id, LIMIT - 2 * MIB);
    const small = { name: "c.png", bytes: png(3, 2, 60_000) };
    const response = await uploadIn({ get: outage as R2Bucket["get"] }, account, screenshot, small);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      uploaded: [{ originalFilename: "c.png" }],
      failed: [{ originalFilename: "a.png", statusCode: 413 }],
    });
    expect(await storedKeys(account.id)).toHaveLength(1);
    expect((await readMeter(account.id)).intents).toEqual([]);
  });
});
