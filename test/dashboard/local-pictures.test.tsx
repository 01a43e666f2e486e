import { expect, it } from "vitest";
import { drawPicture } from "../../src/dashboard/uploads/draw-picture.ts";
import { LocalPictures } from "../../src/dashboard/uploads/local-pictures.ts";

async function photo(width: number, height: number, type = "image/jpeg"): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.fillRect(0, 0, width / 2, height);
  return new File([await canvas.convertToBlob({ type })], "photo", { type });
}

/** A small GIF whose header claims this width and height. */
function hugeGif(side: number): File {
  const sides = [side & 255, side >> 8, side & 255, side >> 8];
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b];
  const bytes = [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, ...sides, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, ...frame];
  return new File([new Uint8Array(bytes)], "huge.gif", { type: "image/gif" });
}

const sizeOf = async (picture: Blob | undefined) => {
  const { width, height } = await createImageBitmap(picture ?? new Blob());
  return [width, height];
};

it("A local picture is small and keeps its shape", async () => {
  expect(await sizeOf(await drawPicture(await photo(3000, 1500)))).toEqual([384, 192]);
  expect(await sizeOf(await drawPicture(await photo(40, 20, "image/png")))).toEqual([40, 20]);
});

it("No local picture is drawn of a video, nor of an image that takes too much memory", async () => {
  const large = Object.defineProperty(await photo(8, 8), "size", { value: 41 * 1024 * 1024 });
  expect(await drawPicture(new File(["x"], "a.mp4", { type: "video/mp4" }))).toBeUndefined();
  expect(await drawPicture(large)).toBeUndefined();
  expect(await drawPicture(hugeGif(20_000))).toBeUndefined();
  expect(await sizeOf(await drawPicture(hugeGif(200)))).toEqual([200, 200]);
});

it("Local pictures are limited in number, and the oldest are dropped from the grid too", async () => {
  const shown = new Map<string, string>();
  const pictures = new LocalPictures(shown, () => undefined);
  const file = await photo(8, 8);
  const draw = async (id: number) => {
    pictures.addressOf(id, file);
    pictures.noteStored(id, `media-${id}`);
    await expect.poll(() => pictures.addressOf(id, undefined), { interval: 2 }).toBeDefined();
  };
  await draw(0);
  const oldest = shown.get("media-0") ?? "";
  expect((await fetch(oldest)).ok).toBe(true);
  for (let id = 1; id <= 200; id += 1) await draw(id);
  expect(shown.size).toBe(200);
  expect(shown.has("media-0")).toBe(false);
  expect(pictures.addressOf(0, file)).toBeUndefined();
  await expect(fetch(oldest)).rejects.toThrow();
});

it("Local pictures are limited in memory", async () => {
  const shown = new Map<string, string>();
  const pictures = new LocalPictures(shown, () => undefined);
  const noise = new OffscreenCanvas(384, 384);
  const context = noise.getContext("2d");
  const pixels = context?.createImageData(384, 384);
  for (let at = 0; at < 384 * 384 * 4; at += 1) if (pixels) pixels.data[at] = at % 4 === 3 ? 255 : (at * 7919) % 251;
  if (pixels) context?.putImageData(pixels, 0, 0);
  const file = new File([await noise.convertToBlob()], "noise.png", { type: "image/png" });
  const drawnBytes = (await drawPicture(file))?.size ?? 0;
  expect(drawnBytes).toBeGreaterThan(60_000);
  for (let id = 0; id < 199; id += 1) {
    pictures.addressOf(id, file);
    pictures.noteStored(id, `media-${id}`);
    if (id % 30 === 29) await expect.poll(() => pictures.addressOf(id, undefined), { timeout: 10_000 }).toBeDefined();
  }
  await expect.poll(() => shown.has("media-198"), { timeout: 10_000 }).toBe(true);
  expect(shown.size * drawnBytes).toBeLessThanOrEqual(8 * 1024 * 1024);
});
