import { randomBytes } from "node:crypto";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RARE_JPEGS } from "../support/jpeg/rare-jpegs.ts";
import { chunk, riff, vp8 } from "../support/media/media-bytes.ts";
import { decode, meanError, photo } from "../support/media/pictures.ts";
import { Processor, reasonOf } from "../support/processor/processor.ts";

// Previews of images that are too large for an isolate.

const MAX_IMAGE_BYTES = 4_000_000;
const MAX_IMAGE_PIXELS = 12_000_000;
const QUERY = "shortEdge=256&longEdge=1024&quality=70";

let processor: Processor;

beforeAll(async () => {
  const limits = { MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS, MAX_WAITING: 1 };
  processor = await Processor.start(Object.fromEntries(Object.entries(limits).map(([name, n]) => [name, String(n)])));
});

afterAll(() => processor?.[Symbol.asyncDispose]());

function ask(type: string, body: Uint8Array, init: RequestInit = {}): Promise<Response> {
  return processor.post(`/preview?type=${type}&${QUERY}`, body, init);
}

async function preview(type: string, body: Uint8Array): Promise<Buffer> {
  const response = await ask(type, body);
  expect(response.status, await response.clone().text()).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("image/webp");
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(Number(response.headers.get("Content-Length"))).toBe(bytes.length);
  const { width, height } = await sharp(bytes).metadata();
  expect(response.headers.get("Media-Width")).toBe(String(width));
  expect(response.headers.get("Media-Height")).toBe(String(height));
  return bytes;
}

const FORMATS: readonly (readonly [type: string, make: (picture: Sharp) => Sharp])[] = [
  ["image/jpeg", (picture) => picture.jpeg({ quality: 90 })],
  ["image/jpeg", (picture) => picture.jpeg({ quality: 90, progressive: true })],
  ["image/png", (picture) => picture.png()],
  ["image/png", (picture) => picture.png({ progressive: true })],
  ["image/gif", (picture) => picture.gif()],
  ["image/webp", (picture) => picture.webp({ quality: 90 })],
  ["image/webp", (picture) => picture.webp({ lossless: true, effort: 0 })],
];

describe("previews", () => {
  it("A preview is a WebP of 256 pixels on its short edge that shows the picture", async () => {
    for (const [type, make] of FORMATS) {
      const file = await make(photo(900, 600)).toBuffer();
      const bytes = await preview(type, file);
      const { width, height, format } = await sharp(bytes).metadata();
      expect({ width, height, format }, type).toEqual({ width: 384, height: 256, format: "webp" });
      const expected = await sharp(file).resize(384, 256).png().toBuffer();
      expect(meanError((await decode(bytes)).pixels, (await decode(expected)).pixels), type).toBeLessThan(8);
    }
  });

  it.each([
    [120, 80, 120, 80],
    [6000, 300, 1024, 51],
    [300, 1500, 205, 1024],
    [1, 3000, 1, 1024],
  ])("A preview of %i by %i pixels has %i by %i", async (width, height, expectedWidth, expectedHeight) => {
    const file = await sharp({ create: { width, height, channels: 3, background: "#567" } })
      .png()
      .toBuffer();
    expect(await sharp(await preview("image/png", file)).metadata()).toMatchObject({
      width: expectedWidth,
      height: expectedHeight,
    });
  });

  it("A preview is upright and has no metadata", async () => {
    const file = await photo(900, 600)
      .withExif({ IFD0: { Copyright: "Somebody" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const bytes = await preview("image/jpeg", file);
    const { width, height, exif, icc, orientation } = await sharp(bytes).metadata();
    expect({ width, height, exif, icc, orientation }).toEqual({
      width: 256,
      height: 384,
      exif: undefined,
      icc: undefined,
      orientation: undefined,
    });
  });

  it("A preview keeps alpha, and shows an animation's first picture", async () => {
    const clear = await sharp({ create: { width: 500, height: 400, channels: 4, background: "#f008" } })
      .png()
      .toBuffer();
    expect((await sharp(await preview("image/png", clear)).metadata()).hasAlpha).toBe(true);
    const frames = await Promise.all(
      ["#d33", "#33d"].map((background) =>
        sharp({ create: { width: 400, height: 400, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    for (const type of ["image/gif", "image/webp"] as const) {
      const animation = sharp(frames, { join: { animated: true } });
      const bytes = await preview(type, await (type === "image/gif" ? animation.gif() : animation.webp()).toBuffer());
      const { channels } = await sharp(bytes).stats();
      expect(channels[0]?.mean).toBeGreaterThan(180);
      expect(channels[2]?.mean).toBeLessThan(90);
    }
  });

  it("A preview of CMYK, of 16 bits and of a file that is cut off shows the picture", async () => {
    const inks = await photo(600, 400).toColourspace("cmyk").jpeg().toBuffer();
    const deep = await photo(600, 400).toColourspace("rgb16").png().toBuffer();
    const whole = await photo(600, 400).jpeg().toBuffer();
    for (const [type, file] of [
      ["image/jpeg", inks],
      ["image/png", deep],
      ["image/jpeg", whole.subarray(0, whole.length >> 1)],
    ] as const)
      expect(await sharp(await preview(type, file)).metadata()).toMatchObject({
        width: 384,
        height: 256,
        space: "srgb",
      });
  });
});

describe("JPEGs that browsers do not decode", () => {
  it.each(RARE_JPEGS)("$label has a preview that shows its gradient if libvips decodes it, else none", async (file) => {
    if (file.isDecoded) {
      const { pixels, width, height } = await decode(await preview("image/jpeg", file.bytes));
      expect({ width, height }).toEqual({ width: file.width, height: file.height });
      expect(pixels[0]).toBeLessThan(60);
      expect(pixels.at(-4)).toBeGreaterThan(195);
    } else expect(await reasonOf(await ask("image/jpeg", file.bytes), 422)).not.toBe("");
    expect(await processor.listFiles()).toEqual([]);
  });
});

describe("no preview", () => {
  it.each<[string, string, () => Promise<Uint8Array> | Uint8Array]>([
    ["of nothing that is an image", "image/png", () => randomBytes(1000)],
    ["of another format than announced", "image/png", () => photo(60, 40).jpeg().toBuffer()],
    [
      "of other formats that libvips reads",
      "image/png",
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ["of a TIFF", "image/jpeg", () => photo(60, 40).tiff().toBuffer()],
    ["of a WebP that is a header and nothing else", "image/webp", () => riff("WEBP", vp8(64, 64))],
    ["of a WebP without an image", "image/webp", () => riff("WEBP", chunk("ICCP", new Uint8Array(40)))],
    [
      "of more pixels than the limit",
      "image/png",
      () =>
        sharp({ create: { width: 4000, height: 3001, channels: 3, background: "#123" } })
          .png()
          .toBuffer(),
    ],
  ])("A file without a preview is answered 422: %s", async (_, type, make) => {
    expect(await reasonOf(await ask(type, await make()), 422)).not.toBe("");
    expect(await processor.listFiles()).toEqual([]);
  });

  it("A body that is too large is answered 413, announced or not", async () => {
    await reasonOf(await ask("image/png", Buffer.alloc(MAX_IMAGE_BYTES + 1)), 413);
  });

  it.each<readonly [string, RegExp]>([
    ["/preview?shortEdge=256&longEdge=1024&quality=70", /type/],
    [`/preview?type=image/svg%2Bxml&${QUERY}`, /type/],
    [`/preview?type=video/mp4&${QUERY}`, /type/],
    ["/preview?type=image/png&longEdge=1024&quality=70", /shortEdge/],
    ["/preview?type=image/png&shortEdge=0&longEdge=1024&quality=70", /shortEdge/],
    ["/preview?type=image/png&shortEdge=256&longEdge=9999&quality=70", /longEdge/],
    ["/preview?type=image/png&shortEdge=256&longEdge=1e3&quality=70", /longEdge/],
    ["/preview?type=image/png&shortEdge=256&longEdge=1024&quality=101", /quality/],
  ])("The processor answers 400 to %s", async (path, reason) => {
    expect(await reasonOf(await processor.post(path, Buffer.from("x")), 400)).toMatch(reason);
  });
});

describe("many previews", () => {
  it("Previews wait for each other, and a request that finds too many waiting is refused with 503", async () => {
    const file = await photo(3000, 2000)
      .png({ compressionLevel: 1 })
      .toBuffer()
      .catch(() => Buffer.alloc(0));
    const small = file.length < MAX_IMAGE_BYTES ? file : await photo(1500, 1000).jpeg().toBuffer();
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask("image/jpeg", small)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(503);
    expect(statuses.filter((status) => status === 200 || status === 422).length).toBeGreaterThan(0);
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    expect(await processor.listFiles()).toEqual([]);
  });

  it("Previews whose client has disconnected end with it", async () => {
    const gone = new AbortController();
    const file = await photo(3400, 3400).webp().toBuffer();
    const requests = [1, 2].map(() => ask("image/webp", file, { signal: gone.signal }));
    const settled = Promise.allSettled(requests);
    await processor.untilChildren(1);
    gone.abort();
    // One waits for the other, so both are not made yet.
    expect((await settled).map(({ status }) => status)).toContain("rejected");
    await processor.untilChildren(0);
    expect(await processor.listFiles()).toEqual([]);
  });
});
