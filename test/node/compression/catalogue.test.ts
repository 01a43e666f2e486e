import { beforeAll, describe, expect, it } from "vitest";
import { writeGif } from "../../support/gif/write-gif.ts";
import { type CompressedResult, type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { photo } from "../../support/media/pictures.ts";

// A compressed image is counted, listed and deleted with its new size and type (LIM-2).

const GB = 1024 ** 3;

let host: CompressionHost;

beforeAll(async () => {
  host = await CompressionHost.shared();
});

async function storedObjects(account: CompressingAccount): Promise<{ key: string; size: number }[]> {
  const answer = await host.send("GET", "/account", account.token);
  const { _id } = (await answer.json()) as { _id: string };
  const bucket = await host.stack.miniflare.getR2Bucket("FILES");
  const { objects } = await bucket.list({ prefix: `uploads/${_id}/` });
  return objects.map(({ key, size }) => ({ key, size }));
}

describe("compressed images", () => {
  it("A compressed image is listed, counted and deleted with its new size and type", async () => {
    const account = await host.openAccount();
    const colours = [[1, 2, 3], [250, 240, 230]] as const; // biome-ignore format: a table
    const frame = { width: 100, height: 70, pixel: (x: number, y: number) => (x + y) & 1 };
    const { result } = await account.store(writeGif({ width: 100, height: 70, colours, frames: [frame] }), "a.gif");
    expect(await storedObjects(account)).toEqual([{ key: result.filename, size: result.fileSize }]);

    const listed = await host.send("GET", "/images?mimePrefix=image/png", account.token);
    const { images } = (await listed.json()) as { images: Record<string, unknown>[] };
    expect(images).toMatchObject([
      { _id: result._id, url: result.url, mimeType: "image/png", prompt: "a.gif", size: { width: 100, height: 70 } },
    ]);
    expect(images[0]).toMatchObject({ filename: result.filename, fileSize: result.fileSize });

    expect((await host.send("DELETE", `/images/${result._id}`, account.token)).status).toBe(200);
    expect(await storedObjects(account)).toEqual([]);
    expect(await account.storageUsed()).toBe(0);
  });
});

describe("almost full storage", () => {
  /** An account of the smallest tier, with all of its storage reserved except `left` bytes. */
  async function nearlyFull(left: number) {
    const account = await host.openAccount({ autoCompress: true }, "free");
    const meters = await host.stack.miniflare.getDurableObjectNamespace("ACCOUNT_METER", "api");
    const answer = await host.send("GET", "/account", account.token);
    const { _id } = (await answer.json()) as { _id: string };
    const meter = meters.get(meters.idFromName(_id)) as unknown as {
      reserve(intent: object, minimum: number, maximum: number): Promise<unknown>;
    };
    const uploadId = "0".repeat(26);
    await meter.reserve({ kind: "upload", uploadId, objectKey: "none", keyId: null }, GB - left, GB - left);
    return account;
  }

  it("An image that fits the remaining storage only after compression is stored", async () => {
    const original = await photo(300, 200).jpeg({ quality: 98 }).toBuffer();
    const account = await nearlyFull(original.length - 1000);
    const answer = await account.upload({ name: "photo.jpg", bytes: original });
    const result = (await answer.json()) as CompressedResult;
    expect(answer.status, JSON.stringify(result)).toBe(201);
    expect(result.compressed).toBe(true);
    await account.check(result, original, "photo.jpg");
  });

  it("An image that does not fit even after compression is refused and leaves nothing behind", async () => {
    const account = await nearlyFull(1000);
    const original = await photo(300, 200).jpeg({ quality: 98 }).toBuffer();
    const answer = await account.upload({ name: "photo.jpg", bytes: original });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ statusCode: 413, error: expect.stringContaining("Storage limit") });
    expect(await storedObjects(account)).toEqual([]);
  });
});
