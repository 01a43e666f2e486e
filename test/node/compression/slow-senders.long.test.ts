import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { decode, photo } from "../../support/media/pictures.ts";
import { SlowUpload } from "../../support/uploads/slow-upload.ts";

// Large images stream to R2 and are compressed from there. A slow sender must not delay other clients.

const MIB = 1024 * 1024;
const SIZE = 20 * MIB;
/** An upload that must wait for memory is refused after twenty seconds. */
const WITHIN_MS = 15_000;

let host: CompressionHost;
let account: CompressingAccount;
let stranger: CompressingAccount;
let photos: Buffer[];
let picture: Buffer;

beforeAll(async () => {
  host = await CompressionHost.start();
  account = await host.openAccount();
  stranger = await host.openAccount();
  const jpeg = await photo(400, 300).jpeg({ quality: 95 }).toBuffer();
  // Bytes after a JPEG's end are ignored. Here they make the files different.
  photos = [1, 2, 3].map((seed) => {
    const bytes = Buffer.alloc(SIZE, `${seed} bottles of beer, `);
    jpeg.copy(bytes);
    return bytes;
  });
  picture = await photo(1700, 1200).png({ compressionLevel: 0 }).toBuffer();
});

afterAll(() => host?.[Symbol.asyncDispose]());

/** Clients that have sent this number of bytes and continue a byte at a time. */
async function trickle(sentBytes: number): Promise<{ uploads: SlowUpload[]; sent: () => number; stop: () => void }> {
  const uploads = [0, 1].map(() => new SlowUpload(stranger, "slow.jpg", SIZE));
  await Promise.all(uploads.map((upload, i) => upload.send(photoAt(i).subarray(0, sentBytes))));
  let sent = sentBytes;
  const timer = setInterval(() => {
    for (const [i, upload] of uploads.entries()) void upload.send(photoAt(i).subarray(sent, sent + 1));
    sent += 1;
  }, 100);
  await sleep(500);
  return { uploads, sent: () => sent, stop: () => clearInterval(timer) };
}

function photoAt(index: number): Buffer {
  return photos[index] as Buffer;
}

describe("two slow large uploads", () => {
  it.each([
    ["just over a part", 8.2 * MIB],
    ["in the middle of the second part", 12 * MIB],
    ["of whole parts", 16 * MIB],
    ["after the second part", 18 * MIB],
  ])(
    "Slow uploads (%s) do not delay the compression of others, and are compressed at the end",
    async (_, sentBytes) => {
      const { uploads, sent, stop } = await trickle(sentBytes);
      const began = performance.now();
      const [one, other] = await Promise.all([
        account.upload({ name: "a.jpg", bytes: photoAt(2) }),
        account.upload({ name: "b.jpg", bytes: photoAt(2) }),
      ]);
      expect(await one.json()).toMatchObject({ compressed: true, originalFileSize: SIZE });
      expect(await other.json()).toMatchObject({ compressed: true, originalFileSize: SIZE });
      expect(performance.now() - began).toBeLessThan(WITHIN_MS);
      stop();
      const before = await stranger.storageUsed();
      let stored = 0;
      for (const [i, upload] of uploads.entries()) {
        await upload.send(photoAt(i).subarray(sent()));
        const { status, result } = await upload.finish();
        expect([status, result.compressed], JSON.stringify(result)).toEqual([201, true]);
        await stranger.check(result, photoAt(i), "slow.jpg");
        stored += result.fileSize;
      }
      expect(await stranger.storageUsed()).toBe(before + stored);
    },
  );

  it("A busy client's large images are all compressed, one after the other", async () => {
    const { uploads, stop } = await trickle(6 * MIB);
    const names = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"];
    const answers = await Promise.all(names.map((name) => account.upload({ name, bytes: photoAt(2) })));
    for (const answer of answers) expect(await answer.json()).toMatchObject({ compressed: true });
    stop();
    for (const upload of uploads) upload.abandon();
  });

  it("Another client's large PNG is compressed without loss during slow uploads", async () => {
    const { uploads, stop } = await trickle(6 * MIB);
    const { result, bytes } = await account.store(picture, "a.png");
    expect(result).toMatchObject({ mimeType: "image/png", compressed: true });
    expect((await decode(bytes)).pixels.equals((await decode(picture)).pixels)).toBe(true);
    stop();
    for (const upload of uploads) upload.abandon();
  });
});
