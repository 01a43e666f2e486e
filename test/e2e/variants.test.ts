import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { photo } from "../support/media/pictures.ts";
import { VideoAccount } from "../support/processor/account.ts";
import { H264, redThenBlue } from "../support/processor/codecs.ts";
import { colorAt } from "../support/processor/picture.ts";
import { encode } from "../support/processor/videos.ts";
import { Stack } from "../support/stack/stack.ts";

// Variants that the media processor makes, through the whole stack: CDN Worker, queue, API Worker, processor (VAR-11, VAR-12).

let stack: Stack;
let account: VideoAccount;

beforeAll(async () => {
  stack = await Stack.start();
  account = await VideoAccount.of(stack);
});

afterAll(() => stack?.dispose());

it("The first request for AVIF gets WebP, and a later one gets the AVIF", async () => {
  const upload = await account.tryUpload("photo.jpg", await photo(1200, 800).jpeg().toBuffer());
  const { url } = (await upload.json()) as { url: string };
  const get = async () => {
    const answer = await fetch(`${url}?w=320&auto=format`, { headers: { Accept: "image/avif,image/webp" } });
    return { type: answer.headers.get("Content-Type"), bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  expect((await get()).type).toBe("image/webp");
  await expect.poll(async () => (await get()).type).toBe("image/avif");
  const { width, height } = await sharp((await get()).bytes).metadata();
  expect([width, height]).toEqual([320, 213]);
});

it("The first request for an animation gets the GIF, and a later one a smaller animation", async () => {
  const frames = Buffer.alloc(120 * 160 * 3, 90).fill(200, 120 * 80 * 3);
  const gif = sharp(frames, { raw: { width: 120, height: 160, channels: 3, pageHeight: 80 } }).gif({ loop: 0 });
  const upload = await account.tryUpload("moving.gif", await gif.toBuffer());
  const { url } = (await upload.json()) as { url: string };
  const get = () => fetch(`${url}?w=64&fm=webp`);
  const first = await get();
  expect([first.headers.get("Content-Type"), first.headers.get("X-Variant")]).toEqual(["image/gif", "substitute"]);
  await first.body?.cancel();
  await expect.poll(async () => (await get()).headers.get("Content-Type"), { timeout: 60_000 }).toBe("image/webp");
  const made = await get();
  expect(made.headers.get("X-Variant")).toBeNull();
  const { pages, width, height } = await sharp(Buffer.from(await made.arrayBuffer())).metadata();
  expect([pages, width, height]).toEqual([2, 64, 43]);
});

it("The first request for a video's frame waits for it", async () => {
  const { url } = await account.upload("video.mp4", await encode("video.mp4", redThenBlue("320x180"), ...H264));
  for (const [query, color] of [
    ["frame=0&w=64", "red"],
    ["frame=3600&w=64&h=64&fit=crop", "blue"],
  ] as const) {
    const answer = await fetch(`${url}?${query}`);
    expect([answer.status, answer.headers.get("X-Variant")]).toEqual([200, null]);
    expect(await colorAt(Buffer.from(await answer.arrayBuffer()), 0.5, 0.5)).toBe(color);
  }
});
