import { deflateSync, inflateSync } from "node:zlib";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { exifWithPlace } from "../../support/media/exif.ts";
import { readPng } from "../../support/png/read-png.ts";
import { type Chunk, type PngPicture, writePng } from "../../support/png/write-png.ts";

// COMP-5: chunks that define a PNG's colours stay; author, time and place do not.

let host: CompressionHost;
let account: CompressingAccount;
let profiles: { rgb: Buffer; gray: Buffer };

beforeAll(async () => {
  host = await CompressionHost.shared();
  account = await host.openAccount();
  profiles = { rgb: await profileOf("rgb"), gray: await profileOf("gray") };
});

/** The profile that libvips has built in. */
async function profileOf(kind: "rgb" | "gray"): Promise<Buffer> {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: "#807060" } });
  const encoded =
    kind === "rgb"
      ? picture.withIccProfile("p3").png()
      : picture.toColourspace("b-w").withMetadata().png({ palette: false });
  const { icc } = await sharp(await encoded.toBuffer()).metadata();
  if (icc === undefined) throw new Error(`There is no ${kind} profile`);
  return icc;
}

function iccp(profile: Buffer): Chunk {
  return ["iCCP", Buffer.concat([Buffer.from("a profile\0\0", "latin1"), deflateSync(profile)])];
}

const uint32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4);
  return bytes;
};
const GAMA: Chunk = ["gAMA", uint32(100_000)];
const CHRM: Chunk = ["cHRM", uint32(31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)];
const SRGB: Chunk = ["sRGB", Buffer.from([1])];
const CICP: Chunk = ["cICP", Buffer.from([9, 16, 0, 1])];
const MDCV: Chunk = ["mDCV", Buffer.alloc(24, 7)];
const CLLI: Chunk = ["cLLI", uint32(10_000_000, 4_000_000)];
const PHYS: Chunk = ["pHYs", Buffer.from([...uint32(11811, 11811), 1])];

const RGB = {
  width: 64,
  height: 48,
  colorType: 2,
  bitDepth: 8,
  pixel: (x: number, y: number) => [x * 4, y * 5, x ^ y],
} as const;
const GRAY = { ...RGB, colorType: 0, pixel: (x: number, y: number) => [x * 3 + y] } as const;

async function store(picture: Omit<PngPicture, "before">, ...before: Chunk[]) {
  const original = writePng({ ...picture, before });
  const { result, bytes } = await account.store(original, "picture.png");
  expect(result.compressed).toBe(true);
  const stored = readPng(bytes);
  expect(stored.pixels).toEqual(readPng(original).pixels);
  return { result, bytes, stored, find: (type: string) => stored.chunks.find((chunk) => chunk.type === type)?.data };
}

describe("colour chunks", () => {
  it.each([GAMA, CHRM, SRGB, CICP, MDCV, CLLI, PHYS])(
    "A compressed PNG keeps its colour chunk: %s",
    async (...chunk) => {
      const { find } = await store(RGB, chunk);
      expect(find(chunk[0])).toEqual(chunk[1]);
    },
  );

  it("A compressed PNG keeps gamma and colours together, before the image data", async () => {
    const { stored } = await store(RGB, GAMA, CHRM, PHYS);
    expect(stored.chunks.map(({ type }) => type)).toEqual(["IHDR", "gAMA", "cHRM", "pHYs", "IDAT", "IEND"]);
  });

  it("A compressed PNG keeps its RGB profile", async () => {
    const { find, bytes } = await store(RGB, iccp(profiles.rgb));
    expect(unpacked(find("iCCP"))).toEqual(profiles.rgb);
    expect((await sharp(bytes).metadata()).icc).toEqual(profiles.rgb);
  });

  it("A PNG of gray pixels with an RGB profile keeps the profile and its colour type", async () => {
    const gray = { ...RGB, pixel: (x: number) => [x, x, x] };
    const { find, stored } = await store(gray, iccp(profiles.rgb));
    expect(unpacked(find("iCCP"))).toEqual(profiles.rgb);
    // PNG, 11.3.2.3: an RGB profile is for colour types 2, 3 and 6.
    expect([2, 3, 6]).toContain(stored.colorType);
  });

  it("A compressed PNG keeps its gray profile and its colour type", async () => {
    const { find, stored } = await store(GRAY, iccp(profiles.gray));
    expect(unpacked(find("iCCP"))).toEqual(profiles.gray);
    expect([0, 4]).toContain(stored.colorType);
  });

  it("A PNG of few shades keeps its gray profile", async () => {
    const { find, stored } = await store({ ...GRAY, pixel: (x) => [x % 3 === 0 ? 17 : 201] }, iccp(profiles.gray));
    expect(unpacked(find("iCCP"))).toEqual(profiles.gray);
    expect([0, 4]).toContain(stored.colorType);
  });

  it("A compressed PNG keeps its significant bits if they fit its colour type", async () => {
    const { find, stored } = await store(RGB, ["sBIT", Buffer.from([5, 6, 5])]);
    expect(stored.colorType).toBe(2);
    expect(find("sBIT")).toEqual(Buffer.from([5, 6, 5]));
  });

  it.each([
    ["gray", (x: number) => [x, x, x]],
    ["few", (x: number) => [x % 3, 9, 9]],
  ])("A compressed PNG drops significant bits that its new colour type cannot have: %s", async (_, pixel) => {
    const { find, stored } = await store({ ...RGB, pixel }, ["sBIT", Buffer.from([5, 6, 5])]);
    const samples = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 }[stored.colorType];
    const bits = find("sBIT");
    if (bits !== undefined) expect(bits).toHaveLength(samples ?? 0);
  });
});

describe("other chunks", () => {
  it.each([3, 6, 8])("A compressed PNG keeps orientation %i and nothing else of its Exif", async (orientation) => {
    const { find, bytes, result, stored } = await store(RGB, ["eXIf", exifWithPlace(orientation)]);
    expect((await sharp(bytes).metadata()).orientation).toBe(orientation);
    expect(find("eXIf")?.length).toBeLessThanOrEqual(26);
    expect(bytes.includes("Somebody")).toBe(false);
    // Browsers read Exif only before the image data.
    expect(stored.chunks.findIndex(({ type }) => type === "eXIf")).toBeLessThan(
      stored.chunks.findIndex(({ type }) => type === "IDAT"),
    );
    expect(result.size).toEqual(orientation >= 5 ? { width: 48, height: 64 } : { width: 64, height: 48 });
  });

  it("A compressed upright PNG has no Exif", async () => {
    const { find } = await store(RGB, ["eXIf", exifWithPlace(1)]);
    expect(find("eXIf")).toBeUndefined();
  });

  it("A compressed PNG contains nothing about people, places and times", async () => {
    const text = (type: string, content: string): Chunk => [type, Buffer.from(content, "latin1")];
    const { stored } = await store(
      RGB,
      text("tEXt", "Author\0Somebody"),
      ["zTXt", Buffer.concat([Buffer.from("Comment\0\0"), deflateSync("At home")])],
      text("iTXt", "XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta/>"),
      text("tIME", "\x07\xea\x05\x10\x0c\x00\x00"),
      text("prVt", "anything"),
    );
    expect(stored.chunks.map(({ type }) => type)).toEqual(["IHDR", "IDAT", "IEND"]);
  });

  it.each([GAMA, CHRM, SRGB, PHYS])(
    "A compressed PNG drops a %s chunk after the image data, which viewers ignore",
    async (...chunk) => {
      const { find } = await store({ ...RGB, after: [chunk] });
      expect(find(chunk[0])).toBeUndefined();
    },
  );

  it("A compressed PNG keeps the gamma before the image data and drops a second one after it", async () => {
    const { stored, find } = await store({ ...RGB, after: [["gAMA", uint32(45_455)]] }, GAMA);
    expect(stored.chunks.filter(({ type }) => type === "gAMA")).toHaveLength(1);
    expect(find("gAMA")).toEqual(GAMA[1]);
  });

  it("A compressed PNG drops all bytes after its end", async () => {
    const original = Buffer.concat([writePng(RGB), Buffer.from("a secret after the picture")]);
    const { result, bytes } = await account.store(original, "picture.png");
    expect(result.compressed).toBe(true);
    expect(bytes.includes("secret")).toBe(false);
  });
});

function unpacked(chunk: Buffer | undefined): Buffer | undefined {
  return chunk && inflateSync(chunk.subarray(chunk.indexOf(0) + 2));
}
