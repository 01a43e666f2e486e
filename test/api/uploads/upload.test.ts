import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MEDIA_TYPES } from "../../../src/domain/media-types.ts";
import { expectConsistent, readMeter, storedKeys, usageOf } from "../../support/api/account-state.ts";
import { openAccount, openProAccount, type UploadResult, upload, uploadOne } from "../../support/api/api.ts";
import { gif, jpeg, mp4, png } from "../../support/media/samples.ts";
import { utf8 } from "../../support/uploads/multipart.ts";

async function storedBytes(key: string): Promise<Buffer> {
  const object = await env.FILES.get(key);
  if (object === null) throw new Error(`${key} is not stored`);
  return Buffer.from(await object.arrayBuffer());
}

describe("One file", () => {
  it("An upload of one file is answered with the bare upload result of the contract", async () => {
    const account = await openAccount();
    const bytes = png(3, 2, 1234);
    const before = Date.now();
    const response = await upload(account.uploadKey, [{ name: "holiday.png", bytes }]);
    expect(response.status).toBe(201);
    expect(response.headers.get("Content-Type")).toMatch(/^application\/json/);
    const result = await response.json<UploadResult>();
    const key = `uploads/${account.id}/${result._id}-holiday.png`;
    expect(result).toEqual({
      _id: expect.stringMatching(/^[0-9a-z]{26}$/),
      url: `https://media.example/${key}`,
      filename: key,
      originalFilename: "holiday.png",
      fileSize: 1234,
      originalFileSize: 1234,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      compressed: false,
      mimeType: "image/png",
      size: { width: 3, height: 2 },
      // The file has only a PNG's first bytes.
      thumbHash: null,
      dominantColor: null,
      folderId: null,
      tags: [],
      visibility: "public",
      externalId: null,
      alt: null,
      metadata: null,
      expiresAt: null,
      takenAt: null,
      camera: null,
      lens: null,
      exposure: null,
      location: null,
      focalPoint: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      type: "upload",
    });
    expect(Date.parse(result.createdAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(result.createdAt)).toBeLessThanOrEqual(Date.now());
    expect(Buffer.compare(await storedBytes(key), bytes)).toBe(0);
  });

  it("An upload has a thumbnail's URL only if it is a video", async () => {
    const account = await openAccount();
    const video = await uploadOne(account.uploadKey, { name: "clip.mp4", bytes: mp4() });
    expect(video).toMatchObject({ mimeType: "video/mp4", compressed: false, size: { width: 0, height: 0 } });
    expect(video.thumbnailUrl).toBe(`https://media.example/uploads/${account.id}/thumbs/${video._id}-thumb.jpg`);
    for (const bytes of [png(), jpeg(), gif()]) {
      expect(await uploadOne(account.uploadKey, { name: "a", bytes })).not.toHaveProperty("thumbnailUrl");
    }
  });

  it("An upload counts its bytes and one operation, shown in the answer's own headers", async () => {
    const account = await openAccount();
    const first = await upload(account.uploadKey, [{ name: "a.png", bytes: png(1, 1, 1000) }]);
    expect(usageOf(first)).toEqual({ storage: 1000, operations: 1 });
    const second = await upload(account.uploadKey, [{ name: "b.png", bytes: png(1, 1, 234) }]);
    expect(usageOf(second)).toEqual({ storage: 1234, operations: 2 });
    const { _id } = await second.json<UploadResult>();
    const { operations } = await readMeter(account.id);
    expect(operations).toHaveLength(2);
    expect(operations.find((operation) => operation.resource_id === _id)).toMatchObject({
      type: "upload",
      class: "A",
      weight_tenths: 10,
      key_id: expect.stringMatching(/^[0-9a-z]{26}$/),
    });
    await expectConsistent(account.id);
  });

  it("An upload is logged with its key, and without one for a session", async () => {
    const account = await openProAccount();
    const byKey = await uploadOne(account.apiKey, { name: "a.png", bytes: png() });
    const bySession = await uploadOne(account.token, { name: "b.png", bytes: png() });
    const { operations } = await readMeter(account.id);
    const keyOf = (id: string) => operations.find((operation) => operation.resource_id === id)?.key_id;
    expect(keyOf(byKey._id)).toBe(account.apiKeyId);
    expect(keyOf(bySession._id)).toBeNull();
  });

  const PART_BYTES = 8 * 1024 * 1024;
  it.each([
    1000,
    PART_BYTES - 1,
    PART_BYTES,
    PART_BYTES + 1,
    2 * PART_BYTES - 1,
    2 * PART_BYTES,
    2 * PART_BYTES + 1,
    20_000_001,
  ])("An upload of %d bytes is stored byte for byte", async (sizeBytes) => {
    const account = await openAccount();
    const bytes = mp4(sizeBytes, sizeBytes);
    const result = await uploadOne(account.uploadKey, { name: "clip.mp4", bytes }, { after: "x" });
    expect(result.fileSize).toBe(sizeBytes);
    expect(Buffer.compare(await storedBytes(result.filename), bytes)).toBe(0);
    expect((await env.FILES.head(result.filename))?.httpMetadata?.contentType).toBe("video/mp4");
    await expectConsistent(account.id);
  });

  it("An upload may have the same name as another", async () => {
    const account = await openAccount();
    const first = await uploadOne(account.uploadKey, { name: "a.png", bytes: png(1, 1, 100) });
    const second = await uploadOne(account.uploadKey, { name: "a.png", bytes: png(2, 2, 200) });
    expect(await storedKeys(account.id)).toEqual([first.filename, second.filename].sort());
  });
});

describe("Several files", () => {
  interface Batch {
    readonly uploaded: UploadResult[];
    readonly failed: { originalFilename: string; error: string; statusCode: number; details?: unknown }[];
  }

  it("Several files are answered in their order, with `failed` even if empty", async () => {
    const account = await openAccount();
    const files = [
      { name: "1.png", bytes: png(1, 1, 1001) },
      { name: "2.mp4", bytes: mp4(9_000_000, 2) },
      { name: "3.jpg", bytes: jpeg(4, 3, 1003) },
      { name: "4.mp4", bytes: mp4(1004, 4) },
    ];
    const response = await upload(account.uploadKey, files);
    expect(response.status).toBe(201);
    const { uploaded, failed, ...rest } = await response.json<Batch>();
    expect(rest).toEqual({ type: "batch" });
    expect(failed).toEqual([]);
    expect(uploaded.map(({ originalFilename }) => originalFilename)).toEqual(files.map(({ name }) => name));
    expect(new Set(uploaded.map(({ _id }) => _id)).size).toBe(4);
    for (const [index, result] of uploaded.entries()) {
      expect(Buffer.compare(await storedBytes(result.filename), files[index]?.bytes ?? Buffer.alloc(0))).toBe(0);
    }
    expect(usageOf(response).operations).toBe(4);
    await expectConsistent(account.id);
  });

  it("Several files succeed or fail separately: failed ones are named, the others are kept", async () => {
    const account = await openAccount();
    const response = await upload(account.uploadKey, [
      { name: "notes.jpg", bytes: utf8("just text") },
      { name: "good.png", bytes: png() },
      { name: "empty.png", bytes: new Uint8Array() },
    ]);
    expect(response.status).toBe(201);
    const { uploaded, failed } = await response.json<Batch>();
    expect(uploaded.map(({ originalFilename }) => originalFilename)).toEqual(["good.png"]);
    expect(failed).toEqual([
      {
        originalFilename: "notes.jpg",
        error: "Only images and videos are allowed",
        code: "unsupported_media_type",
        statusCode: 415,
        details: { detected: "text/plain", supported: MEDIA_TYPES },
      },
      {
        originalFilename: "empty.png",
        error: "Invalid file",
        code: "file_invalid",
        statusCode: 400,
        details: { file: expect.stringContaining("empty") },
      },
    ]);
    expect(usageOf(response)).toEqual({ storage: 100, operations: 1 });
    await expectConsistent(account.id);
  });

  it("Several files that all fail get the first one's error, and `details.failed`", async () => {
    const account = await openAccount();
    const response = await upload(account.uploadKey, [
      { name: "a.jpg", bytes: utf8("<html>") },
      { name: "b.jpg", bytes: new Uint8Array() },
    ]);
    expect(response.status).toBe(415);
    expect(await response.json()).toEqual({
      error: "Only images and videos are allowed",
      code: "unsupported_media_type",
      statusCode: 415,
      details: {
        detected: "text/html",
        supported: MEDIA_TYPES,
        failed: [
          {
            originalFilename: "a.jpg",
            error: "Only images and videos are allowed",
            code: "unsupported_media_type",
            statusCode: 415,
            details: { detected: "text/html", supported: MEDIA_TYPES },
          },
          {
            originalFilename: "b.jpg",
            error: "Invalid file",
            code: "file_invalid",
            statusCode: 400,
            details: { file: expect.any(String) },
          },
        ],
      },
    });
    expect(usageOf(response)).toEqual({ storage: 0, operations: 0 });
    await expectConsistent(account.id);
  });

  it("Fifty files are one request of the rate limit and 50 operations", async () => {
    const account = await openAccount();
    const files = Array.from({ length: 50 }, (_, i) => ({ name: `${i}.png`, bytes: png(1, 1, 100 + i) }));
    const response = await upload(account.uploadKey, files);
    expect(response.status).toBe(201);
    expect((await response.json<Batch>()).uploaded.map(({ fileSize }) => fileSize)).toEqual(
      files.map(({ bytes }) => bytes.length),
    );
    expect(usageOf(response)).toEqual({ storage: 50 * 100 + 1225, operations: 50 });
    expect(response.headers.get("X-RateLimit-Remaining")).toBe("59");
    await expectConsistent(account.id);
  });
});
