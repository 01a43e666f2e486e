import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Codecs } from "../../src/codecs/worker.ts";
import { MediaProcessor } from "../../src/processor/media-processor.ts";
import { compress } from "../../src/services/uploads/store/compress.ts";
import type { UploadRun } from "../../src/services/uploads/upload-run.ts";
import { photoWithComment } from "../support/codecs/photo.ts";

// An image that gets no memory in time is stored as uploaded (COMP-6).

const { CODECS, COUNTED } = env as unknown as { CODECS: Service<typeof Codecs>; COUNTED: Fetcher };
const PHOTO = photoWithComment();
/** A PNG of this size takes all memory for images. */
const LARGEST_BYTES = 32 * 1024 * 1024;
/** An image waits half a minute. */
const TIMEOUT_MS = 60_000;

async function freeBytes(): Promise<number> {
  return (await (await COUNTED.fetch("http://codecs/")).json<{ freeBytes: number }>()).freeBytes;
}

/** Holds all memory with an image whose bytes do not arrive. @returns a function that ends it */
async function holdAllMemory(): Promise<() => Promise<void>> {
  const room = await CODECS.open();
  const { readable, writable } = new FixedLengthStream(LARGEST_BYTES);
  const writer = writable.getWriter();
  const ended = room
    .compress({ type: "image/png", quality: 65, sizeBytes: LARGEST_BYTES }, readable)
    .then(() => undefined)
    .catch(() => undefined);
  await writer.write(new Uint8Array(1000));
  await expect.poll(freeBytes).toBe(0);
  return async () => {
    await writer.abort(new Error("Given up")).catch(() => undefined);
    await ended;
    room[Symbol.dispose]();
  };
}

it(
  "An image that gets no memory in time is kept unchanged, and later ones are compressed",
  async () => {
    const free = await freeBytes();
    const giveUp = await holdAllMemory();
    const noContainer = () => Promise.reject(new Error("Nothing is sent on"));
    using compression = new MediaProcessor(noContainer, "", CODECS).openCompression();
    const run = { compression, account: { accountId: "an account" } } as unknown as UploadRun;
    const photo = {
      type: "image/jpeg",
      quality: 65,
      sizeBytes: PHOTO.length,
      open: async () => new Blob([PHOTO]).stream(),
    } as const;
    // The session reports the reason; an upload continues with its original.
    const [told, kept] = await Promise.allSettled([compression.compress(photo), compress(run, photo)]);
    expect(told).toMatchObject({
      status: "rejected",
      reason: { message: expect.stringContaining("no memory to spare") },
    });
    expect(kept).toEqual({ status: "fulfilled", value: undefined });
    expect(await freeBytes()).toBe(0);

    await giveUp();
    await expect.poll(freeBytes).toBe(free);
    const result = await compress(run, photo);
    expect(result?.sizeBytes).toBeLessThan(1000);
    await result?.body.cancel();
    await expect.poll(freeBytes).toBe(free);
  },
  TIMEOUT_MS,
);
