import { randomBytes } from "node:crypto";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { makeVariant } from "../../src/codecs/make-variant.ts";
import type { MediaType } from "../../src/domain/media-types.ts";
import { parseVariant } from "../../src/domain/variants/parse-variant.ts";
import { type Variant, variantFor } from "../../src/domain/variants/variant.ts";
import { bigEndian, pngChunk } from "../support/media/media-bytes.ts";
import { decode, meanError, photo } from "../support/media/pictures.ts";
import { writeApng } from "../support/png/write-apng.ts";
import { CountedFile } from "../support/previews/counted-file.ts";
import { Processor, reasonOf } from "../support/processor/processor.ts";

// Variants that are too large for the Codec Worker. They look like the Codec Worker's, in any format.

vi.mock("../../src/codecs/picture/picture-engines.ts", async () =>
  (await import("../support/previews/engines.ts")).previewEngines(),
);
vi.mock("../../src/codecs/libwebp.ts", async () => (await import("../support/previews/engines.ts")).webpEngine());

let processor: Processor;

beforeAll(async () => {
  processor = await Processor.start({ MAX_IMAGE_PIXELS: "4000000", MAX_WAITING: "1" });
});

afterAll(() => processor?.[Symbol.asyncDispose]());

function variantOf(query: string, sourceType: MediaType): Variant {
  const parsed = parseVariant(query);
  if (parsed === undefined || "errors" in parsed) throw new Error(JSON.stringify(parsed));
  return variantFor(parsed.request, { sourceType, accepted: { webp: false, avif: false }, hasProcessor: true });
}

function ask(type: MediaType, file: Uint8Array, variant: unknown): Promise<Response> {
  return processor.post(`/variant?${new URLSearchParams({ type, variant: JSON.stringify(variant) })}`, file);
}

async function made(type: MediaType, file: Uint8Array, query: string): Promise<Buffer> {
  const response = await ask(type, file, variantOf(query, type));
  expect(response.status, await response.clone().text()).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  const { width, height } = await sharp(bytes).metadata();
  const told = ["Content-Length", "Media-Width", "Media-Height"].map((name) => Number(response.headers.get(name)));
  expect(told).toEqual([bytes.length, width, height]);
  return bytes;
}

async function madeByCodecWorker(type: MediaType, file: Buffer, query: string): Promise<Buffer> {
  const variant = variantOf(query, type);
  const answer = await makeVariant({ type, sizeBytes: file.length, variant }, new CountedFile(file).open());
  if (answer.outcome !== "made") throw new Error(JSON.stringify(answer));
  return Buffer.from(answer.bytes);
}

const JPEG = await photo(1200, 800).jpeg({ quality: 92 }).withMetadata({ orientation: 6 }).toBuffer();
const PNG = await photo(900, 600).png().toBuffer();

const HUGE = await sharp({ create: { width: 2500, height: 2000, channels: 3, background: "red" } })
  .png()
  .toBuffer();

/** The chunk `acTL` of an APNG. */
const ACTL = pngChunk("acTL", bigEndian(2, 4), bigEndian(0, 4));

/** Dark and light frames in turn: encoders join equal frames. */
function animated(frames = 2, [width, height] = [60, 40]) {
  const frameBytes = width * height * 3;
  const pixels = Buffer.alloc(frameBytes * frames, 90);
  for (let frame = 1; frame < frames; frame++)
    pixels.fill(frame % 2 === 0 ? 90 : 200, frame * frameBytes, (frame + 1) * frameBytes);
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } });
}

const TIMES = { delay: [100, 300], loop: 3 };

/** One colour. */
function plain(width: number, height: number, light: number, alpha = 1): Sharp {
  return sharp({ create: { width, height, channels: 4, background: { r: light, g: light, b: light, alpha } } });
}

const MOVING = [
  { name: "a GIF", type: "image/gif", file: await animated().gif(TIMES).toBuffer() },
  { name: "a WebP", type: "image/webp", file: await animated().webp(TIMES).toBuffer() },
  {
    name: "an APNG",
    type: "image/png",
    file: await writeApng(
      [
        { picture: plain(60, 40, 90), delay: [10, 0] },
        { picture: plain(60, 40, 200), delay: [3, 10] },
      ],
      TIMES.loop,
    ),
  },
] as const;

describe("variants of the media processor", () => {
  it.each([
    "w=320",
    "w=320&fm=webp",
    "w=320&fm=png",
    "w=256&h=256&fit=crop",
    "w=256&h=256&fit=min",
    "w=8192&h=8192&fit=min",
    "w=320&h=160&fit=crop&crop=top,left",
    "w=320&h=320&fit=scale",
    "w=320&h=320&fit=fill&bg=f00",
    "w=320&flip=h&rot=90",
    "w=320&flip=v&rot=270",
    "w=320&rot=180",
    "w=320&rect=100,50,400,300",
    "w=320&blur=100",
  ])("The variant %s looks like the Codec Worker's", async (query) => {
    for (const [type, file] of [
      ["image/jpeg", JPEG],
      ["image/png", PNG],
    ] as const) {
      const theirs = await decode(await madeByCodecWorker(type, file, query));
      const ours = await decode(await made(type, file, query));
      expect([ours.width, ours.height], type).toEqual([theirs.width, theirs.height]);
      expect(meanError(ours.pixels, theirs.pixels), type).toBeLessThan(6);
    }
  });

  it("An AVIF shows the picture, upright and without metadata", async () => {
    const avif = await made("image/jpeg", JPEG, "w=320&fm=avif");
    expect(await sharp(avif).metadata()).toMatchObject({ format: "heif", width: 320, height: 480 });
    expect((await sharp(avif).metadata()).exif).toBeUndefined();
    const expected = await decode(await sharp(JPEG).autoOrient().resize(320).png().toBuffer());
    expect(meanError((await decode(avif)).pixels, expected.pixels)).toBeLessThan(8);
  });

  it("An AVIF has fewer bytes than a WebP of the same quality", async () => {
    const [avif, webp] = [await made("image/png", PNG, "w=640&fm=avif"), await made("image/png", PNG, "w=640&fm=webp")];
    expect(avif.length).toBeLessThan(webp.length);
  });

  it("A variant keeps the colour profile", async () => {
    const file = await photo(300, 200).withIccProfile("p3").png().toBuffer();
    for (const format of ["avif", "webp", "jpg", "png"])
      expect((await sharp(await made("image/png", file, `w=128&fm=${format}`)).metadata()).icc, format).toBeDefined();
  });

  it.each([
    ["a GIF", "image/gif", () => animated().gif().toBuffer(), "first"],
    ["a WebP", "image/webp", () => animated().webp().toBuffer(), "first"],
    ["an APNG", "image/png", async () => Buffer.from([...PNG.subarray(0, 33), ...ACTL, ...PNG.subarray(33)]), "first"],
    ["a still PNG", "image/png", async () => PNG, null],
    ["a still GIF", "image/gif", () => photo(60, 40).gif().toBuffer(), null],
  ] as const)("A variant of %s says whether it shows the first frame of an animation", async (_, type, make, frame) => {
    const response = await ask(type, await make(), variantOf("w=32&fm=png", type));
    expect([response.status, response.headers.get("Media-Frame")]).toEqual([200, frame]);
  });

  it.each(
    MOVING.flatMap((moving) =>
      [
        { query: "w=32", width: 32, height: 21 },
        { query: "w=32&h=32&fit=crop", width: 32, height: 32 },
        { query: "rect=10,10,20,10&w=16&bg=fff", width: 16, height: 8 },
        { query: "w=64&h=64&fit=scale", width: 64, height: 64 },
      ].map((wanted) => ({ ...moving, ...wanted })),
    ),
  )("The WebP variant $query of $name moves, with its times", async ({ type, file, query, width, height }) => {
    const response = await ask(type, file, variantOf(`${query}&fm=webp`, type));
    expect([response.status, response.headers.get("Media-Frame")]).toEqual([200, null]);
    const told = ["Media-Width", "Media-Height"].map((name) => Number(response.headers.get(name)));
    expect(told).toEqual([width, height]);
    const webp = Buffer.from(await response.arrayBuffer());
    expect(await sharp(webp).metadata()).toMatchObject({ format: "webp", pages: 2, width, height, ...TIMES });
    for (const [page, light] of [90, 200].entries()) {
      const { channels } = await sharp(webp, { page }).removeAlpha().stats();
      for (const { mean } of channels) expect(Math.abs(mean - light)).toBeLessThan(8);
    }
  });

  it("The frames of an APNG are drawn over each other, and cleared or restored, as they say", async () => {
    const file = await writeApng(
      [
        { picture: plain(60, 40, 90), delay: [1, 10] },
        { picture: plain(20, 20, 200), left: 10, top: 10, delay: [1, 10], dispose: 2 },
        { picture: plain(20, 20, 255, 0.5), left: 40, top: 20, delay: [1, 10], dispose: 1, blend: 1 },
        { picture: plain(16, 16, 200), delay: [1, 10] },
      ],
      0,
    );
    const webp = await made("image/png", file, "w=64&fm=webp&q=100");
    /** Light and opacity in the middle of each frame's place. */
    const seen = async (page: number) => {
      const { data, info } = await sharp(webp, { page }).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      return [
        [8, 8],
        [20, 20],
        [50, 30],
      ].map(([x = 0, y = 0]) => {
        const at = (y * info.width + x) * info.channels;
        return [data[at] ?? 0, data[at + 3] ?? 0];
      });
    };
    const expected = [
      [
        [90, 255],
        [90, 255],
        [90, 255],
      ],
      [
        [90, 255],
        [200, 255],
        [90, 255],
      ],
      [
        [90, 255],
        [90, 255],
        [173, 255],
      ],
      [
        [200, 255],
        [90, 255],
        [undefined, 0],
      ],
    ];
    for (const [page, places] of expected.entries()) {
      for (const [place, [light, alpha]] of (await seen(page)).entries()) {
        const [wanted, opacity] = places[place] ?? [];
        expect(alpha, `${page} ${place}`).toBe(opacity);
        if (wanted !== undefined) expect(Math.abs((light ?? 0) - wanted), `${page} ${place}`).toBeLessThan(8);
      }
    }
    expect((await sharp(webp).metadata()).delay).toEqual([100, 100, 100, 100]);
  });

  it.each([
    ["is turned", "w=32&rot=90", 2],
    ["is blurred", "w=32&blur=40", 2],
    ["has a border", "w=32&h=8&fit=fill", 2],
    ["is a JPEG", "fm=jpg&w=32", 2],
    // 1,001 frames.
    ["has too many frames", "w=8", 1001],
    // 1,000 frames of 40,000 pixels, and a few.
    ["has too many pixels in all", "w=256&h=160&fit=scale", 990],
  ])("A variant of an animation that %s shows the first frame: %s", async (_, query, frames) => {
    const gif = await animated(frames).gif().toBuffer();
    const response = await ask("image/gif", gif, variantOf(`${query}&fm=webp`, "image/gif"));
    expect([response.status, response.headers.get("Media-Frame")]).toEqual([200, "first"]);
    expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).pages).toBeUndefined();
  });

  it("An animation of more pixels than the media processor reads shows the first frame", async () => {
    const gif = await animated(420, [120, 80]).gif().toBuffer();
    const response = await ask("image/gif", gif, variantOf("fm=webp&w=8", "image/gif"));
    expect([response.status, response.headers.get("Media-Frame")]).toEqual([200, "first"]);
  });

  it.each(["w=8192&h=8192&fit=scale", "w=8192&h=8192&fit=crop&crop=entropy", "w=8192&h=8192&fit=fill"])(
    "A variant of more than five megapixels is 422: %s",
    async (query) => {
      const file = await photo(100, 1).png().toBuffer();
      const reason = await reasonOf(await ask("image/png", file, variantOf(`${query}&fm=avif`, "image/png")), 422);
      expect(reason).toContain("too many pixels");
    },
  );

  it("A variant of more than 16 MiB is 422", async () => {
    await using large = await Processor.start();
    const [width, height] = [2236, 2236];
    const noise = sharp(randomBytes(4 * width * height), { raw: { width, height, channels: 4 } });
    const file = await noise.png({ compressionLevel: 0 }).toBuffer();
    const variant = JSON.stringify(variantOf("fm=png", "image/png"));
    const query = new URLSearchParams({ type: "image/png", variant });
    await reasonOf(await large.post(`/variant?${query}`, file), 422);
  });

  it("A CMYK JPEG becomes RGB", async () => {
    const file = await photo(300, 200).toColourspace("cmyk").jpeg().toBuffer();
    const { space, icc } = await sharp(await made("image/jpeg", file, "w=128&fm=webp")).metadata();
    expect({ space, icc }).toEqual({ space: "srgb", icc: undefined });
  });

  it.each([
    ["a damaged file", Buffer.from("not an image")],
    ["too many pixels", HUGE],
  ])("An image that can have no variant (%s) is 422", async (_, file) => {
    await reasonOf(await ask("image/png", file, variantOf("w=320&fm=avif", "image/png")), 422);
  });

  it.each([
    ["no object", "1"],
    ["no format", { ...variantOf("w=320", "image/png"), format: undefined }],
    ["a format of every object", { ...variantOf("w=320", "image/png"), format: "toString" }],
    ["a huge width", { ...variantOf("w=320", "image/png"), width: 1e9 }],
    ["a crop without a height", { ...variantOf("w=320", "image/png"), fit: "crop" }],
    ["a colour that is none", { ...variantOf("w=320", "image/png"), background: "red" }],
  ])("A wrong variant (%s) is 400", async (_, variant) => {
    await reasonOf(await ask("image/png", PNG, variant), 400);
  });
});
