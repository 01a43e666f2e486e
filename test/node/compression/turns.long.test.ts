import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { photo } from "../../support/media/pictures.ts";
import { SlowUpload } from "../../support/uploads/slow-upload.ts";

// An isolate has 128 MB, and no client can make the images of others wait for a share of it.

const MIB = 1024 * 1024;
const SIZE = 12 * MIB;
const SENT = 9 * MIB;
/** An upload that must wait for memory is refused after twenty seconds. */
const WITHIN_MS = 15_000;

let host: CompressionHost;
let account: CompressingAccount;
let large: Buffer;
let small: Buffer;

beforeAll(async () => {
  host = await CompressionHost.start();
  account = await host.openAccount();
  small = await photo(400, 300).jpeg({ quality: 95 }).toBuffer();
  // Bytes after a JPEG's end are ignored.
  large = Buffer.concat([small, Buffer.alloc(SIZE - small.length)]);
});

afterAll(() => host?.[Symbol.asyncDispose]());

/** Clients that hold memory: they have sent more than a part, and pause. */
async function holdMemory(): Promise<SlowUpload[]> {
  const uploads = [1, 2].map(() => new SlowUpload(account, "slow.jpg", SIZE));
  await Promise.all(uploads.map((upload) => upload.send(large.subarray(0, SENT))));
  await sleep(500);
  return uploads;
}

async function expectCompressed(bytes: Buffer): Promise<void> {
  const began = performance.now();
  expect((await account.store(bytes, "photo.jpg")).result.compressed).toBe(true);
  expect(performance.now() - began).toBeLessThan(WITHIN_MS);
}

describe("slow clients with large images", () => {
  it("Slow clients stop no image from being compressed, small or large", async () => {
    const slow = await holdMemory();
    await expectCompressed(small);
    await expectCompressed(large);
    for (const upload of slow) {
      await upload.send(large.subarray(SENT));
      const { status, result } = await upload.finish();
      expect([status, result.compressed]).toEqual([201, true]);
      await account.check(result, large, "slow.jpg");
    }
    await expectCompressed(large);
  });

  it("Slow clients delay no later client after they have finished", async () => {
    const slow = await holdMemory();
    const began = performance.now();
    const waiting = [1, 2].map(() => account.upload({ name: "waiting.jpg", bytes: large }));
    await sleep(500);
    await Promise.all(
      slow.map(async (upload) => {
        await upload.send(large.subarray(SENT));
        expect((await upload.finish()).status).toBe(201);
      }),
    );
    for (const answer of await Promise.all(waiting)) {
      expect(await answer.json()).toMatchObject({ compressed: true, originalFileSize: SIZE });
    }
    expect(performance.now() - began).toBeLessThan(WITHIN_MS);
  });

  it("Slow clients that hang up free their memory for the next client", async () => {
    for (const upload of await holdMemory()) upload.abandon();
    await sleep(1000);
    await expectCompressed(large);
    for (const upload of await holdMemory()) upload.abandon();
    await expectCompressed(large);
  });
});

describe("clients that hang up while they wait", () => {
  it("Clients that hang up while their images wait do not stop other images from being compressed", async () => {
    const png = await photo(1100, 900).png({ compressionLevel: 0 }).toBuffer();
    const uploads = [1, 2, 3, 4].map(() => new SlowUpload(account, "gone.png", png.length));
    await Promise.all(uploads.map((upload) => upload.send(png)));
    // All bodies but the first are complete while the first image is being compressed.
    for (const upload of uploads) void upload.finish().catch(() => undefined);
    await sleep(300);
    for (const upload of uploads) upload.abandon();
    const tiny = await photo(120, 90).png({ compressionLevel: 0 }).toBuffer();
    const other = await host.openAccount();
    expect((await other.store(tiny, "next.png")).result.compressed).toBe(true);
  });
});
